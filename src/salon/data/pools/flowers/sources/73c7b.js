// rose pink daisy
const pale = "#f9c3d3", rich = "#e26a92", deep = "#cb4877";
const x = 202, y = 182;
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
  brush.fillTexture(0.4, 0.3);
  brush.fill("#7d9a5f", 150);
  petal(x, y, 96, 230, 8, 0.4);
  petal(x, y + 78, 44, 88, 46, 0.2);
  petal(x, y + 68, 132, 98, 42, 0.2);
  ring(x, y, 12, -90, 30, 86, 26, 0.5, pale, 120);
  ring(x, y, 6, -76, 60, 68, 18, 0.4, rich, 130);
  ring(x, y, 6, -90, 60, 40, 10, 0.3, deep, 150);
  brush.fill("#e9ae36", 200);
  brush.circle(x, y, 20);
  brush.fill("#3b2f38", 180);
  for (let i = 0; i < 6; i++) brush.circle(x + random(-28, 28), y + random(-28, 28), 3);
  brush.fill(pale, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
