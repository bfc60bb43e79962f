// scarlet anemone
const pale = "#fba899", rich = "#e63a2a", deep = "#c7261f";
const x = 200, y = 200;
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
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#d5ecc4");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#5f8259", 150);
  petal(x, y + 82, 82, 196, 10, 0.4);
  petal(x, y + 108, 24, 110, 38, 0.2);
  brush.fill("#4d7358", 150);
  petal(x, y + 92, 140, 142, 52, 0.2);
  ring(x, y, 7, -90, 51, 114, 76, 0.5, pale, 120);
  ring(x, y, 7, -90, 51, 92, 46, 0.4, rich, 130);
  ring(x, y, 7, -90, 51, 42, 14, 0.3, deep, 150);
  brush.fill("#2e3140", 200);
  brush.circle(x, y, 20);
  brush.fill("#f2c14e", 180);
  for (let i = 0; i < 6; i++) brush.circle(x + random(-28, 28), y + random(-28, 28), 3);
  brush.fill(rich, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
