// scarlet peony
const pale = "#f4b0da", rich = "#d2419b", deep = "#861a5f";
const x = 192, y = 166;
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
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#5f8259", 150);
  petal(x, y + 58, 92, 190, 12, 0.4);
  petal(x, y + 104, 32, 104, 52, 0.2);
  petal(x, y + 62, 152, 90, 56, 0.2);
  petal(x, y + 56, 10, 126, 40, 0.2);
  petal(x, y + 102, -48, 162, 8, 0.4);
  ring(x + 96, y + -8, 2, -82, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 5, -90, 51, 114, 98, 0.55, pale, 200);
  ring(x, y, 9, -60, 40, 86, 70, 0.55, rich, 210);
  ring(x, y, 3, -30, 120, 54, 48, 0.5, deep, 220);
  brush.fill("#f2c14e", 255);
  brush.circle(x, y, 14);
}
function draw() { noLoop(); }
