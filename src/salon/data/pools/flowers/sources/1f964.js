// magenta sunflower
const pale = "#f4b0da", rich = "#e678bb", deep = "#d2419b";
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
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-9, 9), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.02);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#5f8259", 200);
  petal(x, y, 84, 222, 12, 0.4);
  petal(x, y + 114, 34, 102, 46, 0.2);
  ring(x, y, 14, -90, 26, 116, 32, 0.26, pale, 200);
  ring(x, y, 7, -78, 51, 96, 24, 0.22, rich, 210);
  brush.fill("#2e3140", 190);
  brush.circle(x, y, 40);
}
function draw() { noLoop(); }
