// magenta hibiscus
const pale = "#f4b0da", rich = "#d2419b", deep = "#861a5f";
const x = 212, y = 166;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#cfdfb8", 110);
  brush.circle(202, 220, 138);
  brush.circle(240, 264, 110);
  brush.fill("#4d7358", 130);
  petal(x, y, 96, 194, 12, 0.4);
  petal(x, y + 72, 44, 112, 56, 0.2);
  brush.fill("#94a86b", 130);
  petal(x, y + 56, 142, 118, 54, 0.2);
  petal(x, y + 108, -46, 130, 8, 0.4);
  ring(x + 96, y + -2, 2, -90, 28, 48, 28, 0.4, rich, 150);
  ring(x, y, 5, -90, 72, 96, 88, 0.5, pale, 160);
  ring(x, y, 5, -90, 72, 76, 54, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 40, 20, 0.2, deep, 190);
  brush.fill("#d9962b", 180);
  petal(x, y, -130, 76, 10, 0.5);
  brush.fill(pale, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
