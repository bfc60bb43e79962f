// violet hibiscus
const pale = "#b7a68f", rich = "#96866f", deep = "#75664f";
const x = 66, y = 262;
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
  background("#c9c2b4");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.9, 0.9);
  ring(x, y, 3, -90, 72, 188, 172, 0.5, rich, 30);
  brush.fill("#d9962b", 180);
  petal(x, y, -140, 150, 10, 0.5);
  brush.fill(pale, 200);
  for (let i = 0; i < 6; i++) brush.circle(random(40, 360), random(40, 360), random(10, 20));
}
function draw() { noLoop(); }
