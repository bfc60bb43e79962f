// blush pink iris
const pale = "#fbdfe3", rich = "#eea3b2", deep = "#c9647f";
const x = 202, y = 204;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0, 0);
  brush.fill("#cfdfb8", 110);
  brush.circle(252, 204, 116);
  brush.circle(158, 154, 120);
  brush.fill("#4d7358", 150);
  petal(x, y - 20, 82, 200, 12, 0.4);
  petal(x, y + 132, -62, 150, 38, 0.2);
  brush.fill("#7f9c6a", 150);
  petal(x, y + 140, -118, 156, 26, 0.2);
  petal(x, y + 126, -48, 166, 8, 0.4);
  ring(x + 96, y + 16, 2, -82, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 3, -124, 34, 112, 70, 0.5, pale, 140);
  ring(x, y, 3, 44, 46, 124, 64, 0.5, rich, 150);
  ring(x, y, 3, 44, 46, 76, 32, 0.4, deep, 180);
  ring(x, y, 3, 44, 46, 44, 12, 0.4, "#f2c14e", 180);
}
function draw() { noLoop(); }
