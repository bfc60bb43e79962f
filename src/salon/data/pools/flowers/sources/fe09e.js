// crimson hibiscus
const pale = "#75664f", rich = "#8d7f86", deep = "#8d7f86";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.4);
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
  brush.fillBleed(0.06);
  brush.fillTexture(0, 0);
  brush.fill("#6f8f55", 180);
  petal(x, y, 84, 210, 10, 0.4);
  petal(x, y + 128, 38, 134, 44, 0.2);
  ring(x, y, 5, -90, 72, 124, 110, 0.5, pale, 255);
  ring(x, y, 5, -90, 72, 94, 64, 0.4, rich, 255);
  ring(x, y, 5, -90, 72, 48, 42, 0.4, deep, 255);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 18);
  brush.fill(rich, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
