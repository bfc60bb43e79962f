// coral hibiscus
const pale = "#75664f", rich = "#8d7f86", deep = "#8d7f86";
const x = 108, y = 206;
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
  background("#dcdcdc");
  brush.noStroke();
  brush.fillBleed(0.02);
  brush.fillTexture(0.9, 0.9);
  petal(x, y + 106, -132, 164, 8, 0.4);
  ring(x - 100, y + -4, 2, -114, 18, 28, 16, 0.4, rich, 160);
  ring(x, y, 8, -90, 72, 54, 52, 0.5, rich, 255);
  brush.fill("#d9962b", 180);
  petal(x, y, -40, 42, 10, 0.5);
}
function draw() { noLoop(); }
