// rose pink rose
const pale = "#f096b2", rich = "#e26a92", deep = "#a4325d";
const x = 188, y = 164;
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
  background("#f7e2a0");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#dccbe4", 90);
  brush.circle(216, 210, 92);
  brush.circle(152, 220, 136);
  brush.fill("#5f8259", 150);
  petal(x, y + 58, 88, 220, 12, 0.4);
  petal(x, y + 108, 52, 124, 38, 0.2);
  petal(x, y + 92, 130, 112, 46, 0.2);
  petal(x, y + 114, 8, 94, 54, 0.2);
  ring(x, y, 6, -90, 60, 108, 98, 0.55, pale, 120);
  ring(x, y, 5, -60, 72, 76, 72, 0.55, rich, 130);
  ring(x, y, 4, -30, 90, 48, 48, 0.5, deep, 150);
  ring(x, y, 3, -90, 120, 24, 28, 0.5, deep, 150);
  brush.fill(rich, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
