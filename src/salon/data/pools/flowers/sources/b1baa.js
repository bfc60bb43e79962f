// coral hibiscus
const pale = "#fcc0b0", rich = "#f47560", deep = "#c43f38";
const x = 216, y = 180;
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
  brush.fillBleed(0.18);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#dccbe4", 110);
  brush.circle(142, 200, 144);
  brush.circle(162, 170, 120);
  brush.fill("#7f9c6a", 150);
  petal(x, y + 74, 82, 204, 10, 0.4);
  petal(x, y + 108, 40, 108, 50, 0.2);
  petal(x, y + 60, 132, 110, 48, 0.2);
  petal(x, y + 122, -132, 158, 8, 0.4);
  ring(x - 98, y + 12, 2, -114, 18, 52, 30, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 106, 98, 0.5, pale, 140);
  ring(x, y, 5, -90, 72, 84, 60, 0.4, rich, 150);
  ring(x, y, 5, -90, 72, 44, 30, 0.3, deep, 180);
  brush.fill("#e9ae36", 180);
  petal(x, y, -50, 84, 10, 0.5);
}
function draw() { noLoop(); }
