// peach rose
const pale = "#fbc7a4", rich = "#f5a87e", deep = "#d96f45";
const x = 214, y = 166;
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
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-30, 30), l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.02);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#7d9a5f", 110);
  petal(x, y, 84, 192, 10, 0.4);
  petal(x, y + 80, 36, 72, 42, 0.2);
  brush.fill("#5d8150", 110);
  petal(x, y + 72, 156, 74, 46, 0.2);
  petal(x, y + 58, 8, 96, 42, 0.2);
  petal(x, y + 124, -134, 134, 8, 0.4);
  ring(x - 100, y + 14, 2, -118, 28, 40, 24, 0.4, rich, 150);
  ring(x, y, 6, -90, 60, 82, 74, 0.55, pale, 70);
  ring(x, y, 5, -60, 72, 58, 54, 0.55, rich, 70);
  ring(x, y, 4, -30, 90, 36, 36, 0.5, deep, 90);
  ring(x, y, 3, -90, 120, 18, 22, 0.5, deep, 90);
  brush.fill(rich, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
