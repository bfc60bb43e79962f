// magenta lily
const pale = "#96866f", rich = "#96866f", deep = "#75664f";
const x = 294, y = 76;
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
    petal(x, y, a + i * s + random(-30, 30), l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0, 0);
  petal(x, y + 108, -48, 158, 8, 0.4);
  ring(x + 102, y + -2, 2, -82, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 6, -90, 60, 120, 54, 0.28, rich, 255);
}
function draw() { noLoop(); }
