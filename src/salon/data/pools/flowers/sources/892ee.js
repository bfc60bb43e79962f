// magenta hibiscus
const pale = "#e678bb", rich = "#b0257d", deep = "#861a5f";
const x = 202, y = 174;
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
  brush.fillTexture(0.5, 0.5);
  brush.fill("#5f8259", 110);
  petal(x, y, 86, 226, 8, 0.4);
  petal(x, y + 92, 48, 116, 48, 0.2);
  brush.fill("#7f9c6a", 110);
  petal(x, y + 90, 144, 140, 50, 0.2);
  petal(x, y + 110, 8, 100, 44, 0.2);
  ring(x, y, 5, -90, 72, 112, 104, 0.5, pale, 120);
  ring(x, y, 5, -90, 72, 90, 62, 0.4, rich, 130);
  ring(x, y, 5, -90, 72, 48, 22, 0.2, deep, 150);
  brush.fill("#d9962b", 180);
  petal(x, y, -130, 90, 10, 0.5);
}
function draw() { noLoop(); }
