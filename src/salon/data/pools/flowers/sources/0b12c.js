// cobalt cosmos
const pale = "#7aa5e0", rich = "#7aa5e0", deep = "#437bcb";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.3);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.45, -w * 0.42);
  brush.vertex(l * 0.88, -w * t);
  brush.vertex(l, 0);
  brush.vertex(l * 0.88, w * t);
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
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#7d9a5f", 200);
  petal(x, y, 96, 220, 8, 0.4);
  petal(x, y + 46, 42, 80, 50, 0.2);
  ring(x, y, 8, -90, 45, 82, 46, 0.6, pale, 70);
  ring(x, y, 8, -90, 45, 64, 24, 0.45, rich, 70);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 14);
}
function draw() { noLoop(); }
