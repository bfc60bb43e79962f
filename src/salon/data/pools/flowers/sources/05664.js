// rose pink hibiscus
const pale = "#96866f", rich = "#96866f", deep = "#75664f";
const x = 112, y = 134;
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
    petal(x, y, a + i * s + 0, l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#e8c9d6");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0, 0);
  brush.fill("#6b6b3a", 240);
  petal(x, y, 88, 226, 8, 0.4);
  ring(x, y, 5, -90, 72, 30, 28, 0.5, rich, 30);
}
function draw() { noLoop(); }
