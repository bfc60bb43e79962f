// peach hibiscus
const pale = "#fddcc4", rich = "#f5a87e", deep = "#ec8a5e";
const x = 200, y = 200;
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
  petal(x, y, 84, 210, 8, 0.4);
  petal(x, y + 66, 36, 94, 40, 0.2);
  ring(x, y, 5, -90, 72, 82, 76, 0.5, pale, 70);
  ring(x, y, 5, -90, 72, 66, 46, 0.4, rich, 70);
  ring(x, y, 5, -90, 72, 34, 22, 0.3, deep, 90);
  brush.fill("#f2c14e", 180);
  petal(x, y, -50, 66, 10, 0.5);
}
function draw() { noLoop(); }
