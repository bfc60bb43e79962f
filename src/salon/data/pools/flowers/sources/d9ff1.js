// orange peony
const pale = "#fbae5c", rich = "#fbae5c", deep = "#f48c2a";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.6);
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
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0, 0);
  brush.fill("#1f7a2e", 150);
  petal(x, y, 84, 194, 10, 0.4);
  petal(x, y + 62, 36, 102, 38, 0.2);
  brush.fill("#2fbf3a", 150);
  petal(x, y + 94, 144, 106, 38, 0.2);
  ring(x, y, 7, -90, 51, 86, 74, 0.55, pale, 160);
  ring(x, y, 6, -60, 60, 64, 54, 0.55, rich, 160);
  brush.fill("#f2c14e", 190);
  brush.circle(x, y, 10);
}
function draw() { noLoop(); }
