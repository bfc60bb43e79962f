// lemon anemone
const pale = "#f5d94a", rich = "#e8c22c", deep = "#e8c22c";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.3);
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
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#c3dbe8", 90);
  brush.circle(228, 196, 142);
  brush.circle(258, 226, 96);
  brush.fill("#7d9a5f", 200);
  petal(x, y, 88, 208, 8, 0.4);
  petal(x, y + 40, 36, 68, 46, 0.2);
  ring(x, y, 7, -90, 51, 74, 48, 0.5, pale, 200);
  ring(x, y, 7, -90, 51, 60, 30, 0.4, rich, 210);
  brush.fill("#3b2f38", 190);
  brush.circle(x, y, 14);
}
function draw() { noLoop(); }
