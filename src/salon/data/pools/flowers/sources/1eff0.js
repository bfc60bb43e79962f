// peach hibiscus
const pale = "#96866f", rich = "#96866f", deep = "#75664f";
const x = 200, y = 170;
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
  brush.fillBleed(0.6);
  brush.fillTexture(0, 0);
  ring(x, y, 8, -90, 45, 42, 38, 0.5, pale, 30);
  ring(x, y, 3, -90, 72, 34, 24, 0.4, rich, 40);
  ring(x, y, 8, -90, 72, 18, 12, 0.3, deep, 50);
  brush.fill("#d9962b", 255);
  brush.circle(x, y, 6);
  brush.fill(rich, 200);
  for (let i = 0; i < 6; i++) brush.circle(random(40, 360), random(40, 360), random(10, 20));
}
function draw() { noLoop(); }
