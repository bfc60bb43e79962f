// indigo hibiscus
const pale = "#b9c0ea", rich = "#5360b5", deep = "#384291";
const x = 204, y = 166;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.6);
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
  brush.fillBleed(0.22);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#cfdfb8", 90);
  brush.circle(256, 240, 102);
  brush.fill("#5f8259", 110);
  petal(x, y, 92, 202, 12, 0.4);
  petal(x, y + 92, 28, 104, 48, 0.2);
  petal(x, y + 56, 138, 118, 52, 0.2);
  petal(x, y + 58, 6, 116, 38, 0.2);
  petal(x, y + 114, -46, 136, 8, 0.4);
  ring(x + 104, y + 4, 2, -90, 28, 48, 28, 0.4, rich, 150);
  ring(x, y, 5, -90, 72, 98, 90, 0.5, pale, 255);
  ring(x, y, 5, -90, 72, 78, 54, 0.4, rich, 255);
  ring(x, y, 5, -90, 72, 42, 20, 0.2, deep, 255);
  brush.fill("#e9ae36", 180);
  petal(x, y, -140, 78, 10, 0.5);
}
function draw() { noLoop(); }
