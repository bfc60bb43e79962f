// lemon tulip
const pale = "#fdf4ae", rich = "#f5d94a", deep = "#e8c22c";
const x = 194, y = 218;
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
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#f0d9b5", 110);
  brush.circle(134, 172, 150);
  brush.circle(228, 204, 148);
  brush.fill("#4d7358", 150);
  petal(x, y - 20, 86, 192, 12, 0.4);
  petal(x, y + 142, -66, 114, 28, 0.2);
  petal(x, y + 144, -120, 136, 36, 0.2);
  ring(x, y, 3, -118, 28, 130, 80, 0.34, pale, 160);
  ring(x, y, 2, -104, 28, 122, 78, 0.3, rich, 160);
  ring(x, y, 1, -90, 28, 86, 54, 0.3, deep, 190);
}
function draw() { noLoop(); }
