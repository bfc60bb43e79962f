// peach tulip
const pale = "#fbc7a4", rich = "#f5a87e", deep = "#d96f45";
const x = 194, y = 208;
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
  background("#bfe3f5");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#c3dbe8", 110);
  brush.circle(244, 188, 108);
  brush.fill("#94a86b", 110);
  petal(x, y - 20, 90, 230, 10, 0.4);
  petal(x, y + 142, -60, 128, 32, 0.2);
  brush.fill("#94a86b", 110);
  petal(x, y + 146, -124, 130, 32, 0.2);
  petal(x, y + 138, -48, 160, 8, 0.4);
  ring(x + 102, y + 28, 2, -82, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 3, -118, 28, 138, 86, 0.34, pale, 160);
  ring(x, y, 2, -104, 28, 130, 82, 0.3, rich, 160);
  ring(x, y, 1, -90, 28, 92, 58, 0.3, deep, 190);
}
function draw() { noLoop(); }
