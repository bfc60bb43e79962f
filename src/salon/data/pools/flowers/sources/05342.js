// peach anemone
const pale = "#fddcc4", rich = "#f5a87e", deep = "#d96f45";
const x = 182, y = 170;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#7f9c6a", 110);
  petal(x, y, 96, 224, 8, 0.4);
  petal(x, y + 100, 28, 84, 38, 0.2);
  brush.fill("#7f9c6a", 110);
  petal(x, y + 72, 152, 114, 44, 0.2);
  petal(x, y + 68, 16, 90, 48, 0.2);
  petal(x, y + 134, -46, 140, 8, 0.4);
  ring(x + 108, y + 24, 2, -90, 28, 48, 28, 0.4, rich, 150);
  ring(x, y, 7, -90, 51, 96, 64, 0.5, pale, 160);
  ring(x, y, 7, -90, 51, 76, 38, 0.4, rich, 160);
  ring(x, y, 7, -90, 51, 34, 12, 0.3, deep, 190);
  brush.fill("#4a3428", 200);
  brush.circle(x, y, 18);
  brush.fill("#e9ae36", 180);
  for (let i = 0; i < 6; i++) brush.circle(x + random(-26, 26), y + random(-26, 26), 3);
  brush.fill(rich, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
