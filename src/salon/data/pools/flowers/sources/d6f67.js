// crimson rose
const pale = "#e2616f", rich = "#e2616f", deep = "#c92a42";
const x = 64, y = 244;
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
  brush.fillTexture(0, 0);
  brush.fill("#6b6b3a", 130);
  petal(x, y, 90, 216, 12, 0.4);
  petal(x, y + 90, 32, 158, 46, 0.2);
  brush.fill("#2fbf3a", 130);
  petal(x, y + 138, 132, 118, 52, 0.2);
  petal(x, y + 86, 12, 120, 46, 0.2);
  ring(x, y, 9, -90, 40, 176, 158, 0.55, rich, 120);
  brush.fill("#e9ae36", 255);
  brush.circle(x, y, 28);
  brush.fill(pale, 200);
  for (let i = 0; i < 8; i++) brush.circle(random(40, 360), random(40, 360), random(10, 20));
}
function draw() { noLoop(); }
