// coral sunflower
const pale = "#fcc0b0", rich = "#fa9a84", deep = "#f47560";
const x = 202, y = 168;
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
  background("#e8c9d6");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#dccbe4", 90);
  brush.circle(216, 220, 142);
  brush.fill("#5d8150", 130);
  petal(x, y, 84, 212, 8, 0.4);
  petal(x, y + 82, 50, 136, 52, 0.2);
  petal(x, y + 82, 154, 142, 44, 0.2);
  petal(x, y + 152, -134, 134, 8, 0.4);
  ring(x - 96, y + 42, 2, -118, 28, 56, 34, 0.4, rich, 150);
  ring(x, y, 14, -90, 26, 122, 34, 0.26, pale, 140);
  ring(x, y, 7, -78, 51, 100, 24, 0.22, rich, 150);
  brush.fill("#2e3140", 190);
  brush.circle(x, y, 42);
}
function draw() { noLoop(); }
