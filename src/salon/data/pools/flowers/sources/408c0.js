// lemon hibiscus
const pale = "#fdf4ae", rich = "#f5d94a", deep = "#cba31c";
const x = 190, y = 174;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#94a86b", 110);
  petal(x, y + 60, 94, 210, 12, 0.4);
  petal(x, y + 62, 50, 134, 42, 0.2);
  brush.fill("#94a86b", 110);
  petal(x, y + 76, 146, 116, 36, 0.2);
  petal(x, y + 154, -48, 154, 8, 0.4);
  ring(x + 100, y + 44, 2, -82, 18, 54, 30, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 108, 100, 0.5, pale, 140);
  ring(x, y, 5, -90, 72, 86, 60, 0.4, rich, 150);
  ring(x, y, 5, -90, 72, 46, 30, 0.3, deep, 180);
  brush.fill("#d9962b", 180);
  petal(x, y, -140, 86, 10, 0.5);
  brush.fill(pale, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
