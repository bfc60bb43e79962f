// cobalt daisy
const pale = "#b3cdf0", rich = "#437bcb", deep = "#2a5cab";
const x = 186, y = 178;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
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
    brush.fill(c, o * random(0.7, 1.2));
    petal(x, y, a + i * s + random(-9, 9), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#6f8f55", 200);
  petal(x, y, 92, 222, 8, 0.4);
  petal(x, y + 114, 52, 110, 46, 0.2);
  ring(x, y, 12, -90, 30, 114, 34, 0.5, pale, 120);
  ring(x, y, 6, -76, 60, 92, 22, 0.4, rich, 130);
  ring(x, y, 6, -90, 60, 52, 14, 0.3, deep, 150);
  brush.fill("#f2c14e", 190);
  brush.circle(x, y, 28);
}
function draw() { noLoop(); }
