// scarlet tulip
const pale = "#fba899", rich = "#e63a2a", deep = "#98191b";
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
  background("#f7e2a0");
  brush.noStroke();
  brush.fillBleed(0.02);
  brush.fillTexture(0, 0);
  ring(x, y, 3, -118, 28, 124, 76, 0.34, pale, 200);
  ring(x, y, 2, -104, 28, 102, 64, 0.3, rich, 210);
}
function draw() { noLoop(); }
