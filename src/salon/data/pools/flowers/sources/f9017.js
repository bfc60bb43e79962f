// crimson iris
const pale = "#75664f", rich = "#8d7f86", deep = "#8d7f86";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.circle(l * 0.6, 0, w * 0.5);
  pop();
}
function ring(x, y, n, a, s, l, w, t, c, o) {
  for (let i = 0; i < n; i++) {
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-9, 9), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#6a6a72");
  brush.noStroke();
  brush.fillBleed(0.01);
  brush.fillTexture(0, 0);
  ring(x, y, 3, -124, 34, 46, 30, 0.5, pale, 30);
  ring(x, y, 3, 44, 46, 52, 28, 0.5, rich, 40);
  brush.fill("#e9ae36", 255);
  brush.circle(x, y, 8);
  brush.fill(rich, 200);
  for (let i = 0; i < 6; i++) brush.circle(random(40, 360), random(40, 360), random(10, 20));
}
function draw() { noLoop(); }
