// sky blue tulip
const pale = "#b7a68f", rich = "#96866f", deep = "#75664f";
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
    petal(x, y, a + i * s + random(-9, 9), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#5d8150", 200);
  petal(x, y - 20, 94, 192, 10, 0.4);
  petal(x, y + 136, -64, 118, 26, 0.2);
  ring(x, y, 3, -118, 28, 88, 54, 0.34, pale, 200);
  ring(x, y, 2, -104, 28, 82, 52, 0.3, rich, 210);
}
function draw() { noLoop(); }
