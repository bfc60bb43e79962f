// cobalt daisy
const pale = "#7aa5e0", rich = "#437bcb", deep = "#1c4283";
const x = 192, y = 166;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.circle(l * 0.6, 0, w * 0.5);
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
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#4d7358", 180);
  petal(x, y, 98, 222, 10, 0.4);
  petal(x, y + 90, 48, 146, 36, 0.2);
  petal(x, y + 142, -46, 136, 8, 0.4);
  ring(x + 94, y + 32, 2, -90, 28, 56, 34, 0.4, rich, 150);
  ring(x, y, 12, -90, 30, 120, 36, 0.5, pale, 70);
  ring(x, y, 6, -76, 60, 96, 24, 0.4, rich, 70);
  brush.fill("#d9962b", 200);
  brush.circle(x, y, 28);
  brush.fill("#2e3140", 180);
  for (let i = 0; i < 6; i++) brush.circle(x + random(-40, 40), y + random(-40, 40), 3);
  brush.fill(pale, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
