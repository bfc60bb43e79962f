// lilac poppy
const pale = "#bd9cd6", rich = "#a37ec4", deep = "#a37ec4";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.circle(l * 0.6, 0, w * 0.5);
  pop();
}
function ring(x, y, n, a, s, l, w, t, c, o) {
  for (let i = 0; i < n; i++) {
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-9, 9), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.9, 0.9);
  brush.fill("#f0d9b5", 110);
  brush.circle(140, 216, 116);
  brush.circle(248, 230, 144);
  brush.fill("#6f8f55", 180);
  petal(x, y, 92, 194, 10, 0.4);
  petal(x, y + 114, 52, 96, 42, 0.2);
  petal(x, y + 126, -134, 142, 8, 0.4);
  ring(x - 98, y + 16, 2, -118, 28, 52, 32, 0.4, rich, 150);
  ring(x, y, 3, -60, 90, 104, 124, 0.55, pale, 160);
  ring(x, y, 3, -15, 90, 86, 88, 0.5, rich, 160);
  brush.fill("#2e3140", 200);
  brush.circle(x, y, 18);
  brush.fill("#f2c14e", 180);
  for (let i = 0; i < 4; i++) brush.circle(x + random(-26, 26), y + random(-26, 26), 3);
  brush.fill(pale, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
