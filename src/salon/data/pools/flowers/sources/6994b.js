// sky blue hibiscus
const pale = "#a3d3f0", rich = "#a3d3f0", deep = "#74b8e4";
const x = 202, y = 166;
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
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#1f7a2e", 130);
  petal(x, y + 54, 94, 194, 12, 0.4);
  petal(x, y + 94, 34, 84, 40, 0.2);
  brush.fill("#2fbf3a", 130);
  petal(x, y + 66, 144, 78, 54, 0.2);
  petal(x, y + 90, 12, 84, 42, 0.2);
  ring(x, y, 5, -90, 72, 90, 82, 0.5, pale, 160);
  ring(x, y, 5, -90, 72, 72, 50, 0.4, rich, 160);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 14);
  brush.fill(rich, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
