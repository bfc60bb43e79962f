// orange hibiscus
const pale = "#fdd09a", rich = "#f48c2a", deep = "#e0701a";
const x = 294, y = 132;
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
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#4d7358", 150);
  petal(x, y + 66, 86, 200, 12, 0.4);
  petal(x, y + 54, 26, 82, 38, 0.2);
  petal(x, y + 82, 130, 92, 54, 0.2);
  ring(x, y, 5, -90, 72, 96, 88, 0.5, pale, 120);
  ring(x, y, 5, -90, 72, 76, 54, 0.4, rich, 130);
  ring(x, y, 5, -90, 72, 40, 26, 0.3, deep, 150);
  brush.fill("#d9962b", 180);
  petal(x, y, -50, 76, 10, 0.5);
}
function draw() { noLoop(); }
