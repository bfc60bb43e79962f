// sky blue cosmos
const pale = "#cfe8f7", rich = "#74b8e4", deep = "#327bb3";
const x = 184, y = 184;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#dccbe4", 90);
  brush.circle(162, 194, 96);
  brush.fill("#7d9a5f", 150);
  petal(x, y + 70, 94, 222, 10, 0.4);
  petal(x, y + 102, 30, 114, 38, 0.2);
  brush.fill("#7d9a5f", 150);
  petal(x, y + 72, 138, 114, 52, 0.2);
  petal(x, y + 140, -132, 166, 8, 0.4);
  ring(x - 102, y + 30, 2, -114, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 8, -90, 45, 114, 64, 0.6, pale, 120);
  ring(x, y, 8, -90, 45, 88, 34, 0.45, rich, 130);
  ring(x, y, 8, -90, 45, 46, 12, 0.3, deep, 150);
  brush.fill("#e9ae36", 200);
  brush.circle(x, y, 18);
  brush.fill("#3b2f38", 180);
  for (let i = 0; i < 6; i++) brush.circle(x + random(-26, 26), y + random(-26, 26), 3);
}
function draw() { noLoop(); }
