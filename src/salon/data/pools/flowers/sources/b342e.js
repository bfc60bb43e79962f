// scarlet peony
const pale = "#fba899", rich = "#f46b55", deep = "#e63a2a";
const x = 216, y = 176;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.3);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.45, -w * 0.42);
  brush.vertex(l * 0.88, -w * t * random(0.8, 1.1));
  brush.vertex(l, 0);
  brush.vertex(l * 0.88, w * t * random(0.8, 1.1));
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
  brush.fillBleed(0.1);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#5d8150", 130);
  petal(x, y + 20, 86, 210, 8, 0.4);
  petal(x, y + 36, 30, 38, 44, 0.2);
  brush.fill("#5d8150", 150);
  petal(x, y + 28, 132, 36, 46, 0.2);
  petal(x, y + 28, 4, 36, 50, 0.2);
  ring(x, y, 7, -90, 51, 34, 30, 0.55, pale, 255);
  ring(x, y, 6, -60, 60, 28, 22, 0.55, rich, 255);
  ring(x, y, 5, -30, 72, 16, 14, 0.5, deep, 255);
  brush.fill("#f2c14e", 190);
  brush.circle(x, y, 4);
}
function draw() { noLoop(); }
