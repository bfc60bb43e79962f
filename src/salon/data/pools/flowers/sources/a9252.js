// crimson hibiscus
const pale = "#f3a3a8", rich = "#e2616f", deep = "#c92a42";
const x = 64, y = 186;
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
  background("#bfe3f5");
  brush.noStroke();
  brush.fillBleed(0.6);
  brush.fillTexture(0.9, 0.9);
  brush.fill("#2fbf3a", 200);
  petal(x, y, 86, 214, 8, 0.4);
  petal(x, y + 36, 26, 42, 46, 0.2);
  ring(x, y, 8, -90, 45, 48, 44, 0.5, rich, 30);
  brush.fill("#e9ae36", 255);
  brush.circle(x, y, 8);
  brush.fill(pale, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
