// cobalt cosmos
const pale = "#b3cdf0", rich = "#7aa5e0", deep = "#437bcb";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.4);
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
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#6f8f55", 180);
  petal(x, y, 86, 218, 12, 0.4);
  petal(x, y + 48, 32, 90, 42, 0.2);
  ring(x, y, 8, -90, 45, 78, 44, 0.6, pale, 70);
  ring(x, y, 8, -90, 45, 60, 24, 0.45, rich, 70);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 12);
}
function draw() { noLoop(); }
