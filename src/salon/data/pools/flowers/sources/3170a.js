// rose pink cosmos
const pale = "#f096b2", rich = "#e26a92", deep = "#a4325d";
const x = 200, y = 200;
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
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-9, 9), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#6a6a72");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#f0d9b5", 110);
  brush.circle(240, 188, 140);
  brush.fill("#94a86b", 200);
  petal(x, y, 96, 190, 10, 0.4);
  petal(x, y + 104, 26, 116, 36, 0.2);
  ring(x, y, 8, -90, 45, 104, 58, 0.6, pale, 255);
  ring(x, y, 8, -90, 45, 82, 32, 0.45, rich, 255);
  ring(x, y, 8, -90, 45, 42, 10, 0.3, deep, 255);
  brush.fill("#f2c14e", 200);
  brush.circle(x, y, 16);
  brush.fill("#4a3428", 180);
  for (let i = 0; i < 6; i++) brush.circle(x + random(-22, 22), y + random(-22, 22), 3);
}
function draw() { noLoop(); }
