// cobalt cosmos
const pale = "#437bcb", rich = "#2a5cab", deep = "#2a5cab";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.3);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.45, -w * 0.42);
  brush.vertex(l * 0.88, -w * t);
  brush.vertex(l, 0);
  brush.vertex(l * 0.88, w * t);
  brush.vertex(l * 0.45, w * 0.42);
  brush.endShape(true);
  pop();
}
function ring(x, y, n, a, s, l, w, t, c, o) {
  for (let i = 0; i < n; i++) {
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#5d8150", 180);
  petal(x, y, 90, 194, 8, 0.4);
  petal(x, y + 64, 26, 78, 44, 0.2);
  ring(x, y, 8, -90, 45, 80, 44, 0.6, rich, 200);
  brush.fill("#d9962b", 190);
  brush.circle(x, y, 12);
}
function draw() { noLoop(); }
