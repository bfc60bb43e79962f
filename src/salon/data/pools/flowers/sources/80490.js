// lemon hibiscus
const pale = "#fae97a", rich = "#f5d94a", deep = "#cba31c";
const x = 182, y = 168;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
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
  brush.fillBleed(0.02);
  brush.fillTexture(0.9, 0.9);
  brush.fill("#5f8259", 130);
  petal(x, y + 74, 92, 194, 10, 0.4);
  petal(x, y + 94, 44, 118, 44, 0.2);
  petal(x, y + 92, 152, 120, 46, 0.2);
  petal(x, y + 108, 12, 98, 56, 0.2);
  petal(x, y + 106, -132, 164, 8, 0.4);
  ring(x - 104, y + -4, 2, -114, 18, 54, 30, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 108, 100, 0.5, pale, 120);
  ring(x, y, 5, -90, 72, 86, 60, 0.4, rich, 130);
  ring(x, y, 5, -90, 72, 46, 30, 0.3, deep, 150);
  brush.fill("#d9962b", 180);
  petal(x, y, -130, 86, 10, 0.5);
  brush.fill(rich, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
