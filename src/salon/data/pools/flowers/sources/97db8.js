// lilac sunflower
const pale = "#eadcf2", rich = "#bd9cd6", deep = "#8562aa";
const x = 196, y = 166;
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
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#f0d9b5", 90);
  brush.circle(212, 172, 102);
  brush.circle(166, 244, 124);
  brush.fill("#5f8259", 130);
  petal(x, y + 70, 88, 220, 10, 0.4);
  petal(x, y + 70, 50, 102, 40, 0.2);
  brush.fill("#7f9c6a", 130);
  petal(x, y + 108, 152, 100, 54, 0.2);
  petal(x, y + 116, -48, 156, 8, 0.4);
  ring(x + 96, y + 6, 2, -82, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 14, -90, 26, 112, 32, 0.26, pale, 160);
  ring(x, y, 7, -78, 51, 92, 22, 0.22, rich, 160);
  ring(x, y, 7, -90, 51, 62, 14, 0.2, deep, 190);
  brush.fill("#4a3428", 200);
  brush.circle(x, y, 38);
  brush.fill("#f2c14e", 180);
  for (let i = 0; i < 6; i++) brush.circle(x + random(-54, 54), y + random(-54, 54), 3);
}
function draw() { noLoop(); }
