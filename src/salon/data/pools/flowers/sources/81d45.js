// orange hibiscus
const pale = "#fdd09a", rich = "#f48c2a", deep = "#bd5712";
const x = 190, y = 184;
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
  brush.fillBleed(0.06);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#dccbe4", 90);
  brush.circle(190, 222, 124);
  brush.fill("#4d7358", 130);
  petal(x, y, 92, 222, 8, 0.4);
  petal(x, y + 78, 38, 126, 38, 0.2);
  brush.fill("#5f8259", 130);
  petal(x, y + 96, 136, 102, 50, 0.2);
  ring(x, y, 5, -90, 72, 108, 100, 0.5, pale, 140);
  ring(x, y, 5, -90, 72, 86, 60, 0.4, rich, 150);
  ring(x, y, 5, -90, 72, 46, 22, 0.2, deep, 180);
  brush.fill("#f2c14e", 190);
  brush.circle(x, y, 18);
}
function draw() { noLoop(); }
