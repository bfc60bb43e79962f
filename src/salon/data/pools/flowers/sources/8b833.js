// orange hibiscus
const pale = "#75664f", rich = "#8d7f86", deep = "#8d7f86";
const x = 322, y = 256;
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
    petal(x, y, a + i * s + random(-30, 30), l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f7e2a0");
  brush.noStroke();
  brush.fillBleed(0.6);
  brush.fillTexture(0.5, 0.5);
  petal(x, y + 146, -132, 164, 8, 0.4);
  ring(x - 102, y + 36, 2, -114, 18, 40, 22, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 80, 74, 0.5, rich, 30);
  brush.fill("#d9962b", 255);
  brush.circle(x, y, 12);
}
function draw() { noLoop(); }
