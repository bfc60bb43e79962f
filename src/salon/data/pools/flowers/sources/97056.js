// cobalt tulip
const pale = "#b3cdf0", rich = "#437bcb", deep = "#2a5cab";
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
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#7d9a5f", 200);
  petal(x, y - 20, 86, 208, 12, 0.4);
  petal(x, y + 158, -66, 118, 36, 0.2);
  ring(x, y, 3, -118, 28, 110, 68, 0.34, pale, 200);
  ring(x, y, 2, -104, 28, 104, 66, 0.3, rich, 210);
}
function draw() { noLoop(); }
