// cobalt cosmos
const pale = "#bd9cd6", rich = "#a37ec4", deep = "#a37ec4";
const x = 98, y = 208;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.3);
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
    petal(x, y, a + i * s + 0, l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f7e2a0");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#5d8150", 180);
  petal(x, y, 96, 208, 10, 0.4);
  petal(x, y + 84, 32, 84, 36, 0.2);
  ring(x, y, 8, -90, 45, 92, 48, 0.6, pale, 255);
  ring(x, y, 8, -90, 45, 64, 30, 0.45, rich, 255);
  brush.fill("#d9962b", 190);
  brush.circle(x, y, 14);
}
function draw() { noLoop(); }
