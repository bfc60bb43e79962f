// lilac lily
const pale = "#d5bde6", rich = "#a37ec4", deep = "#8562aa";
const x = 204, y = 184;
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
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#7d9a5f", 110);
  petal(x, y + 86, 96, 220, 10, 0.4);
  petal(x, y + 118, 28, 142, 52, 0.2);
  brush.fill("#5d8150", 110);
  petal(x, y + 72, 142, 146, 42, 0.2);
  petal(x, y + 78, 10, 120, 44, 0.2);
  petal(x, y + 120, -48, 156, 8, 0.4);
  ring(x + 98, y + 10, 2, -82, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 6, -90, 60, 118, 54, 0.28, pale, 120);
  ring(x, y, 6, -90, 60, 96, 30, 0.22, rich, 130);
  ring(x, y, 6, -90, 60, 48, 12, 0.2, deep, 150);
  ring(x, y, 5, -68, 72, 56, 6, 0.9, "#d9962b", 200);
}
function draw() { noLoop(); }
