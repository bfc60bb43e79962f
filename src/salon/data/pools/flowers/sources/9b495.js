// sky blue hibiscus
const pale = "#b7a68f", rich = "#96866f", deep = "#75664f";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.1);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.6, -w * 0.5);
  brush.vertex(l, 0);
  brush.vertex(l * 0.6, w * 0.5);
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
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#c3dbe8", 110);
  brush.circle(138, 176, 118);
  brush.circle(198, 170, 128);
  brush.fill("#5f8259", 180);
  petal(x, y, 96, 200, 12, 0.4);
  petal(x, y + 70, 34, 70, 50, 0.2);
  ring(x, y, 5, -90, 72, 86, 76, 0.5, pale, 70);
  ring(x, y, 5, -90, 72, 68, 58, 0.4, rich, 70);
  ring(x, y, 5, -90, 72, 40, 36, 0.3, deep, 90);
  brush.fill("#d9962b", 180);
  petal(x, y, -130, 64, 10, 0.5);
}
function draw() { noLoop(); }
