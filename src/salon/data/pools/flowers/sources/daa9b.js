// indigo peony
const pale = "#8490d3", rich = "#384291", deep = "#262c6c";
const x = 192, y = 176;
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
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#f0d9b5", 110);
  brush.circle(180, 142, 134);
  brush.circle(142, 182, 94);
  brush.fill("#5f8259", 130);
  petal(x, y + 58, 92, 224, 8, 0.4);
  petal(x, y + 96, 32, 136, 38, 0.2);
  brush.fill("#5f8259", 130);
  petal(x, y + 94, 132, 106, 52, 0.2);
  petal(x, y + 98, 16, 110, 40, 0.2);
  petal(x, y + 140, -48, 162, 8, 0.4);
  ring(x + 96, y + 30, 2, -82, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 7, -90, 51, 110, 94, 0.55, pale, 120);
  ring(x, y, 6, -60, 60, 82, 68, 0.55, rich, 130);
  ring(x, y, 5, -30, 72, 52, 46, 0.5, deep, 150);
  brush.fill("#f2c14e", 200);
  brush.circle(x, y, 14);
  brush.fill("#3b2f38", 180);
  for (let i = 0; i < 4; i++) brush.circle(x + random(-20, 20), y + random(-20, 20), 3);
  brush.fill(pale, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
