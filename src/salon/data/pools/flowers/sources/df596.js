// lemon hibiscus
const pale = "#74b8e4", rich = "#4c9ad1", deep = "#4c9ad1";
const x = 336, y = 232;
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
  brush.fillTexture(0.6, 0.3);
  ring(x, y, 3, -90, 120, 108, 96, 0.5, rich, 255);
  brush.fill(pale, 200);
  for (let i = 0; i < 6; i++) brush.circle(random(40, 360), random(40, 360), random(10, 20));
}
function draw() { noLoop(); }
