// lemon peony
const pale = "#fae97a", rich = "#e8c22c", deep = "#cba31c";
const x = 190, y = 174;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.45, -w * 0.42);
  brush.vertex(l * 0.88, -w * t * random(0.8, 1.1));
  brush.vertex(l * random(0.86, 1.06), 0);
  brush.vertex(l * 0.88, w * t * random(0.8, 1.1));
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
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#cfdfb8", 90);
  brush.circle(238, 236, 124);
  brush.fill("#94a86b", 110);
  petal(x, y, 84, 214, 8, 0.4);
  petal(x, y + 56, 34, 84, 52, 0.2);
  brush.fill("#5f8259", 110);
  petal(x, y + 54, 136, 84, 48, 0.2);
  petal(x, y + 108, -46, 134, 8, 0.4);
  ring(x + 90, y + -2, 2, -90, 28, 48, 28, 0.4, rich, 150);
  ring(x, y, 7, -90, 51, 98, 84, 0.55, pale, 70);
  ring(x, y, 6, -60, 60, 72, 60, 0.55, rich, 70);
  ring(x, y, 5, -30, 72, 48, 42, 0.5, deep, 90);
  brush.fill("#f2c14e", 190);
  brush.circle(x, y, 12);
  brush.fill(pale, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
