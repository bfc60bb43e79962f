// violet rose
const pale = "#d9c7ee", rich = "#9166c8", deep = "#7243ae";
const x = 212, y = 180;
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
  brush.fillTexture(0.5, 0.5);
  brush.fill("#f0d9b5", 90);
  brush.circle(198, 154, 104);
  brush.circle(254, 242, 102);
  brush.fill("#94a86b", 130);
  petal(x, y + 74, 86, 194, 10, 0.4);
  petal(x, y + 94, 50, 96, 42, 0.2);
  petal(x, y + 80, 144, 102, 46, 0.2);
  petal(x, y + 120, -48, 156, 8, 0.4);
  ring(x + 94, y + 10, 2, -82, 18, 52, 30, 0.4, rich, 160);
  ring(x, y, 6, -90, 60, 104, 94, 0.55, pale, 140);
  ring(x, y, 5, -60, 72, 72, 68, 0.55, rich, 150);
  ring(x, y, 4, -30, 90, 46, 46, 0.5, deep, 180);
  ring(x, y, 3, -90, 120, 22, 28, 0.5, deep, 180);
}
function draw() { noLoop(); }
