// scarlet anemone
const pale = "#f46b55", rich = "#f46b55", deep = "#e63a2a";
const x = 194, y = 172;
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
    petal(x, y, a + i * s + 0, l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.9, 0.9);
  brush.fill("#5d8150", 200);
  petal(x, y, 86, 216, 8, 0.4);
  petal(x, y + 86, 44, 88, 36, 0.2);
  petal(x, y + 122, -134, 134, 8, 0.4);
  ring(x - 110, y + 12, 2, -118, 28, 40, 24, 0.4, rich, 150);
  ring(x, y, 7, -90, 51, 82, 54, 0.5, pale, 120);
  ring(x, y, 7, -90, 51, 66, 32, 0.4, rich, 130);
  brush.fill("#2e3140", 200);
  brush.circle(x, y, 14);
  brush.fill("#e9ae36", 180);
  for (let i = 0; i < 4; i++) brush.circle(x + random(-20, 20), y + random(-20, 20), 3);
}
function draw() { noLoop(); }
