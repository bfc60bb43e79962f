// coral tulip
const pale = "#fa9a84", rich = "#f47560", deep = "#c43f38";
const x = 186, y = 222;
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
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#dccbe4", 110);
  brush.circle(170, 174, 110);
  brush.fill("#7d9a5f", 130);
  petal(x, y - 20, 84, 194, 8, 0.4);
  petal(x, y + 146, -58, 138, 34, 0.2);
  brush.fill("#5d8150", 130);
  petal(x, y + 134, -122, 144, 38, 0.2);
  petal(x, y + 144, -46, 136, 8, 0.4);
  ring(x + 108, y + 34, 2, -90, 28, 48, 28, 0.4, rich, 150);
  ring(x, y, 3, -118, 28, 96, 60, 0.34, pale, 200);
  ring(x, y, 2, -104, 28, 90, 58, 0.3, rich, 210);
  ring(x, y, 1, -90, 28, 64, 40, 0.3, deep, 220);
}
function draw() { noLoop(); }
