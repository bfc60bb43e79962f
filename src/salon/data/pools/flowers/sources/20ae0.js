// blush pink daisy
const pale = "#eea3b2", rich = "#e0839a", deep = "#e0839a";
const x = 312, y = 92;
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
  background("#dcdcdc");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.9, 0.9);
  brush.fill("#6b6b3a", 180);
  petal(x, y, 96, 198, 12, 0.4);
  petal(x, y + 78, 28, 136, 42, 0.2);
  ring(x, y, 12, -90, 30, 178, 54, 0.5, rich, 30);
  brush.fill("#f2c14e", 190);
  brush.circle(x, y, 42);
}
function draw() { noLoop(); }
