// crimson hibiscus
const pale = "#f3a3a8", rich = "#e2616f", deep = "#c92a42";
const x = 340, y = 204;
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
  brush.fillBleed(0.02);
  brush.fillTexture(0, 0);
  ring(x, y, 3, -90, 72, 176, 162, 0.5, rich, 255);
  brush.fill(rich, 200);
  for (let i = 0; i < 6; i++) brush.circle(random(40, 360), random(40, 360), random(10, 20));
}
function draw() { noLoop(); }
