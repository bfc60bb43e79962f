// lemon peony
const pale = "#75664f", rich = "#8d7f86", deep = "#8d7f86";
const x = 192, y = 170;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.45, -w * 0.42);
  brush.vertex(l * 0.88, -w * t * random(0.8, 1.1));
  brush.vertex(l * random(0.86, 1.06), 0);
  brush.vertex(l * 0.88, w * t * random(0.8, 1.1));
  brush.vertex(l * 0.45, w * 0.42);
  brush.endShape(true);
  pop();
}
function ring(x, y, n, a, s, l, w, t, c, o) {
  for (let i = 0; i < n; i++) {
    brush.fill(c, o * random(0.7, 1.2));
    petal(x, y, a + i * s + random(-30, 30), l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#94a86b", 130);
  petal(x, y + 62, 92, 198, 12, 0.4);
  petal(x, y + 110, 48, 100, 42, 0.2);
  brush.fill("#5f8259", 130);
  petal(x, y + 102, 140, 100, 48, 0.2);
  ring(x, y, 5, -90, 72, 124, 112, 0.5, pale, 30);
  ring(x, y, 4, -60, 90, 86, 64, 0.55, rich, 40);
  brush.fill("#f2c14e", 200);
  brush.circle(x, y, 14);
  brush.fill("#2e3140", 180);
  for (let i = 0; i < 6; i++) brush.circle(x + random(-20, 20), y + random(-20, 20), 3);
}
function draw() { noLoop(); }
