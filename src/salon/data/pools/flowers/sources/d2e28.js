// lemon hibiscus
const pale = "#fae97a", rich = "#f5d94a", deep = "#cba31c";
const x = 216, y = 166;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#94a86b", 150);
  petal(x, y, 92, 226, 8, 0.4);
  petal(x, y + 50, 44, 78, 36, 0.2);
  brush.fill("#5f8259", 150);
  petal(x, y + 70, 152, 88, 38, 0.2);
  petal(x, y + 76, 8, 70, 36, 0.2);
  ring(x, y, 5, -90, 72, 82, 76, 0.5, pale, 140);
  ring(x, y, 5, -90, 72, 66, 46, 0.4, rich, 150);
  ring(x, y, 5, -90, 72, 34, 16, 0.2, deep, 180);
  brush.fill("#d9962b", 180);
  petal(x, y, -50, 66, 10, 0.5);
  brush.fill(rich, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
