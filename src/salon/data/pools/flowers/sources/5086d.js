// coral hibiscus
const pale = "#5360b5", rich = "#384291", deep = "#384291";
const x = 80, y = 208;
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
  brush.fillBleed(0.06);
  brush.fillTexture(0, 0);
  brush.fill("#1f7a2e", 200);
  petal(x, y, 98, 200, 12, 0.4);
  petal(x, y + 50, 34, 68, 44, 0.2);
  ring(x, y, 8, -90, 72, 56, 52, 0.5, rich, 255);
}
function draw() { noLoop(); }
