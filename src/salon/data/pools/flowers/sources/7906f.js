// scarlet anemone
const pale = "#f46b55", rich = "#e63a2a", deep = "#98191b";
const x = 204, y = 166;
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
  brush.fillBleed(0.14);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#dccbe4", 110);
  brush.circle(166, 214, 102);
  brush.circle(210, 194, 150);
  brush.fill("#4d7358", 180);
  petal(x, y, 90, 194, 10, 0.4);
  petal(x, y + 68, 32, 148, 38, 0.2);
  petal(x, y + 118, -46, 132, 8, 0.4);
  ring(x + 98, y + 8, 2, -90, 28, 56, 34, 0.4, rich, 150);
  ring(x, y, 7, -90, 51, 122, 80, 0.5, pale, 70);
  ring(x, y, 7, -90, 51, 98, 48, 0.4, rich, 70);
  ring(x, y, 7, -90, 51, 44, 14, 0.3, deep, 90);
  brush.fill("#4a3428", 200);
  brush.circle(x, y, 22);
  brush.fill("#d9962b", 180);
  for (let i = 0; i < 4; i++) brush.circle(x + random(-30, 30), y + random(-30, 30), 3);
}
function draw() { noLoop(); }
