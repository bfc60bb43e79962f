// cobalt cosmos
const pale = "#7aa5e0", rich = "#2a5cab", deep = "#2a5cab";
const x = 218, y = 174;
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
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.01);
  brush.fillTexture(0.9, 0.9);
  brush.fill("#5f8259", 180);
  petal(x, y, 94, 218, 10, 0.4);
  petal(x, y + 90, 42, 86, 40, 0.2);
  ring(x, y, 8, -90, 45, 92, 48, 0.6, pale, 200);
  ring(x, y, 8, -90, 45, 72, 28, 0.45, rich, 210);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 14);
}
function draw() { noLoop(); }
