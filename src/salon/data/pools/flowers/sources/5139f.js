// lemon peony
const pale = "#fdf4ae", rich = "#f5d94a", deep = "#e8c22c";
const x = 190, y = 176;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#cfdfb8", 110);
  brush.circle(248, 242, 96);
  brush.circle(228, 182, 98);
  brush.fill("#5f8259", 150);
  petal(x, y + 66, 94, 220, 12, 0.4);
  petal(x, y + 90, 34, 122, 52, 0.2);
  brush.fill("#5f8259", 150);
  petal(x, y + 82, 150, 142, 48, 0.2);
  petal(x, y + 132, 18, 134, 36, 0.2);
  petal(x, y + 142, -48, 164, 8, 0.4);
  ring(x + 96, y + 32, 2, -82, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 7, -90, 51, 122, 104, 0.55, pale, 140);
  ring(x, y, 6, -60, 60, 90, 76, 0.55, rich, 150);
  ring(x, y, 5, -30, 72, 58, 52, 0.5, deep, 180);
  brush.fill("#f2c14e", 255);
  brush.circle(x, y, 14);
}
function draw() { noLoop(); }
