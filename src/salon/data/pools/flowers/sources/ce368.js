// indigo hibiscus
const pale = "#b9c0ea", rich = "#5360b5", deep = "#262c6c";
const x = 204, y = 180;
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
    brush.fill(c, o * random(0.7, 1.2));
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#c3dbe8", 110);
  brush.circle(262, 266, 120);
  brush.fill("#6f8f55", 150);
  petal(x, y, 96, 230, 8, 0.4);
  petal(x, y + 78, 50, 128, 42, 0.2);
  brush.fill("#7d9a5f", 150);
  petal(x, y + 82, 130, 124, 48, 0.2);
  petal(x, y + 112, -46, 138, 8, 0.4);
  ring(x + 96, y + 2, 2, -90, 28, 52, 32, 0.4, rich, 150);
  ring(x, y, 5, -90, 72, 106, 98, 0.5, pale, 140);
  ring(x, y, 5, -90, 72, 84, 60, 0.4, rich, 150);
  ring(x, y, 5, -90, 72, 44, 22, 0.2, deep, 180);
  brush.fill("#d9962b", 180);
  petal(x, y, -130, 84, 10, 0.5);
}
function draw() { noLoop(); }
