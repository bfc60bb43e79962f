// peach hibiscus
const pale = "#fbc7a4", rich = "#f5a87e", deep = "#d96f45";
const x = 186, y = 168;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.circle(l * 0.6, 0, w * 0.5);
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
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#4d7358", 150);
  petal(x, y + 82, 86, 204, 12, 0.4);
  petal(x, y + 94, 52, 150, 44, 0.2);
  brush.fill("#5f8259", 150);
  petal(x, y + 74, 144, 130, 56, 0.2);
  petal(x, y + 86, 10, 136, 50, 0.2);
  ring(x, y, 5, -90, 72, 124, 114, 0.5, pale, 160);
  ring(x, y, 5, -90, 72, 100, 70, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 52, 34, 0.3, deep, 190);
  brush.fill("#f2c14e", 180);
  petal(x, y, -140, 100, 10, 0.5);
}
function draw() { noLoop(); }
