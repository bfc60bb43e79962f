// scarlet cosmos
const pale = "#fba899", rich = "#e63a2a", deep = "#c7261f";
const x = 214, y = 180;
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
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#5f8259", 130);
  petal(x, y + 60, 94, 214, 8, 0.4);
  petal(x, y + 108, 40, 100, 54, 0.2);
  brush.fill("#94a86b", 130);
  petal(x, y + 62, 132, 94, 46, 0.2);
  petal(x, y + 72, 6, 116, 40, 0.2);
  petal(x, y + 120, -48, 166, 8, 0.4);
  ring(x + 106, y + 10, 2, -82, 18, 48, 26, 0.4, rich, 160);
  ring(x, y, 8, -90, 45, 98, 54, 0.6, pale, 70);
  ring(x, y, 8, -90, 45, 76, 30, 0.45, rich, 70);
  ring(x, y, 8, -90, 45, 40, 10, 0.3, deep, 90);
  brush.fill("#d9962b", 200);
  brush.circle(x, y, 16);
  brush.fill("#4a3428", 180);
  for (let i = 0; i < 6; i++) brush.circle(x + random(-22, 22), y + random(-22, 22), 3);
}
function draw() { noLoop(); }
