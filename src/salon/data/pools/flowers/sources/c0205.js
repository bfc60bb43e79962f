// blush pink hibiscus
const pale = "#fbae5c", rich = "#fbae5c", deep = "#f48c2a";
const x = 322, y = 218;
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
    petal(x, y, a + i * s + random(-9, 9), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#c9c2b4");
  brush.noStroke();
  brush.fillBleed(0.01);
  brush.fillTexture(0, 0);
  brush.fill("#6b6b3a", 240);
  petal(x, y, 90, 214, 8, 0.4);
  ring(x, y, 3, -90, 120, 52, 48, 0.5, rich, 255);
  brush.fill("#f2c14e", 190);
  brush.circle(x, y, 8);
}
function draw() { noLoop(); }
