// orange poppy
const pale = "#fbae5c", rich = "#f48c2a", deep = "#bd5712";
const x = 204, y = 170;
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
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0, 0);
  brush.fill("#94a86b", 150);
  petal(x, y, 94, 204, 12, 0.4);
  petal(x, y + 58, 48, 72, 36, 0.2);
  petal(x, y + 66, 150, 72, 40, 0.2);
  ring(x, y, 4, -60, 90, 76, 92, 0.55, pale, 120);
  ring(x, y, 4, -15, 90, 62, 64, 0.5, rich, 130);
  ring(x, y, 4, -60, 90, 28, 22, 0.3, deep, 150);
  brush.fill("#2e3140", 190);
  brush.circle(x, y, 12);
  brush.fill(rich, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
