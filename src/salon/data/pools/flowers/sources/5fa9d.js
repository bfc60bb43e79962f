// crimson peony
const pale = "#e2616f", rich = "#a81530", deep = "#7d0f28";
const x = 190, y = 178;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.6);
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
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#c3dbe8", 110);
  brush.circle(240, 168, 90);
  brush.fill("#7f9c6a", 110);
  petal(x, y + 46, 88, 226, 12, 0.4);
  petal(x, y + 60, 38, 78, 56, 0.2);
  brush.fill("#4d7358", 110);
  petal(x, y + 48, 142, 74, 44, 0.2);
  petal(x, y + 50, 20, 86, 42, 0.2);
  ring(x, y, 7, -90, 51, 74, 64, 0.55, pale, 140);
  ring(x, y, 6, -60, 60, 54, 46, 0.55, rich, 150);
  ring(x, y, 5, -30, 72, 36, 32, 0.5, deep, 180);
  brush.fill("#f2c14e", 200);
  brush.circle(x, y, 8);
  brush.fill("#4a3428", 180);
  for (let i = 0; i < 5; i++) brush.circle(x + random(-12, 12), y + random(-12, 12), 3);
  brush.fill(rich, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
