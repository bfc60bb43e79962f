// scarlet tulip
const pale = "#f46b55", rich = "#f46b55", deep = "#e63a2a";
const x = 316, y = 114;
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
    petal(x, y, a + i * s + random(-30, 30), l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#bfe3f5");
  brush.noStroke();
  brush.fillBleed(0.01);
  brush.fillTexture(0, 0);
  ring(x, y, 3, -118, 28, 32, 20, 0.34, rich, 30);
}
function draw() { noLoop(); }
