// lemon hibiscus
const pale = "#fdf4ae", rich = "#f5d94a", deep = "#cba31c";
const x = 192, y = 166;
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
  background("#c9c2b4");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#f0d9b5", 90);
  brush.circle(142, 266, 96);
  brush.circle(154, 210, 102);
  brush.fill("#94a86b", 130);
  petal(x, y + 50, 86, 220, 12, 0.4);
  petal(x, y + 74, 28, 138, 42, 0.2);
  petal(x, y + 100, 140, 114, 46, 0.2);
  ring(x, y, 3, -90, 120, 112, 104, 0.5, pale, 140);
  ring(x, y, 8, -90, 120, 80, 66, 0.4, rich, 150);
  ring(x, y, 8, -90, 45, 42, 34, 0.3, deep, 180);
  brush.fill("#e9ae36", 180);
  petal(x, y, -130, 92, 10, 0.5);
}
function draw() { noLoop(); }
