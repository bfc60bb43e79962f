// sky blue rose
const pale = "#cfe8f7", rich = "#74b8e4", deep = "#4c9ad1";
const x = 216, y = 176;
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
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#5f8259", 110);
  petal(x, y, 86, 194, 10, 0.4);
  petal(x, y + 92, 42, 114, 36, 0.2);
  brush.fill("#4d7358", 110);
  petal(x, y + 108, 150, 104, 50, 0.2);
  petal(x, y + 122, -134, 136, 8, 0.4);
  ring(x - 88, y + 12, 2, -118, 28, 52, 32, 0.4, rich, 150);
  ring(x, y, 6, -90, 60, 106, 96, 0.55, pale, 140);
  ring(x, y, 5, -60, 72, 74, 70, 0.55, rich, 150);
  ring(x, y, 4, -30, 90, 46, 46, 0.5, deep, 180);
  ring(x, y, 3, -90, 120, 24, 28, 0.5, deep, 180);
}
function draw() { noLoop(); }
