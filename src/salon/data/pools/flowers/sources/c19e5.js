// peach hibiscus
const pale = "#96866f", rich = "#96866f", deep = "#75664f";
const x = 98, y = 116;
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
  brush.fillBleed(0.02);
  brush.fillTexture(0, 0);
  ring(x, y, 3, -90, 120, 44, 40, 0.5, rich, 70);
  brush.fill("#d9962b", 255);
  brush.circle(x, y, 8);
  brush.fill(pale, 200);
  for (let i = 0; i < 8; i++) brush.circle(random(40, 360), random(40, 360), random(10, 20));
}
function draw() { noLoop(); }
