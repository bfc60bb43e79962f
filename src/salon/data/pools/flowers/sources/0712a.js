// sky blue poppy
const pale = "#a3d3f0", rich = "#4c9ad1", deep = "#327bb3";
const x = 210, y = 164;
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
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#7f9c6a", 130);
  petal(x, y + 80, 82, 226, 12, 0.4);
  petal(x, y + 78, 26, 100, 44, 0.2);
  petal(x, y + 128, 152, 134, 52, 0.2);
  ring(x, y, 4, -60, 90, 116, 140, 0.55, pale, 120);
  ring(x, y, 4, -15, 90, 96, 98, 0.5, rich, 130);
  ring(x, y, 4, -60, 90, 42, 34, 0.3, deep, 150);
  brush.fill("#2e3140", 200);
  brush.circle(x, y, 20);
  brush.fill("#e9ae36", 180);
  for (let i = 0; i < 6; i++) brush.circle(x + random(-28, 28), y + random(-28, 28), 3);
}
function draw() { noLoop(); }
