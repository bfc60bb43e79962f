// lemon hibiscus
const pale = "#fdf4ae", rich = "#f5d94a", deep = "#e8c22c";
const x = 190, y = 182;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.6);
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
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#f0d9b5", 90);
  brush.circle(142, 178, 136);
  brush.circle(266, 202, 108);
  brush.fill("#5f8259", 150);
  petal(x, y + 68, 92, 204, 10, 0.4);
  petal(x, y + 72, 38, 106, 38, 0.2);
  petal(x, y + 112, 150, 134, 56, 0.2);
  petal(x, y + 94, 18, 130, 46, 0.2);
  petal(x, y + 124, -48, 160, 8, 0.4);
  ring(x + 96, y + 14, 2, -82, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 114, 104, 0.5, pale, 160);
  ring(x, y, 5, -90, 72, 92, 64, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 48, 32, 0.3, deep, 190);
  brush.fill("#d9962b", 180);
  petal(x, y, -40, 92, 10, 0.5);
}
function draw() { noLoop(); }
