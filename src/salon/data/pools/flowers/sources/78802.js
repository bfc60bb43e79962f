// magenta sunflower
const pale = "#f4b0da", rich = "#d2419b", deep = "#861a5f";
const x = 214, y = 172;
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
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#dccbe4", 110);
  brush.circle(242, 176, 118);
  brush.circle(242, 148, 104);
  brush.fill("#5f8259", 150);
  petal(x, y, 92, 222, 10, 0.4);
  petal(x, y + 80, 34, 138, 52, 0.2);
  brush.fill("#94a86b", 150);
  petal(x, y + 110, 144, 118, 56, 0.2);
  petal(x, y + 156, -46, 132, 8, 0.4);
  ring(x + 100, y + 46, 2, -90, 28, 56, 34, 0.4, rich, 150);
  ring(x, y, 14, -90, 26, 116, 32, 0.26, pale, 140);
  ring(x, y, 7, -78, 51, 96, 24, 0.22, rich, 150);
  ring(x, y, 7, -90, 51, 64, 14, 0.2, deep, 180);
  brush.fill("#3b2f38", 200);
  brush.circle(x, y, 40);
  brush.fill("#d9962b", 180);
  for (let i = 0; i < 6; i++) brush.circle(x + random(-56, 56), y + random(-56, 56), 3);
}
function draw() { noLoop(); }
