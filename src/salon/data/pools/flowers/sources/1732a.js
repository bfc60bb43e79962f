// indigo hibiscus
const pale = "#b9c0ea", rich = "#5360b5", deep = "#262c6c";
const x = 186, y = 182;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#94a86b", 150);
  petal(x, y, 84, 212, 8, 0.4);
  petal(x, y + 108, 44, 138, 52, 0.2);
  petal(x, y + 102, 142, 120, 44, 0.2);
  petal(x, y + 130, -46, 130, 8, 0.4);
  ring(x + 110, y + 20, 2, -90, 28, 56, 34, 0.4, rich, 150);
  ring(x, y, 5, -90, 72, 118, 108, 0.5, pale, 160);
  ring(x, y, 5, -90, 72, 94, 66, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 50, 24, 0.2, deep, 190);
  brush.fill("#f2c14e", 180);
  petal(x, y, -130, 94, 10, 0.5);
}
function draw() { noLoop(); }
