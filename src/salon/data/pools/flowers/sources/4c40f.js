// blush pink cosmos
const pale = "#fbdfe3", rich = "#f6c3cc", deep = "#eea3b2";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.6);
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
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#6f8f55", 180);
  petal(x, y, 86, 220, 8, 0.4);
  petal(x, y + 74, 30, 118, 38, 0.2);
  ring(x, y, 8, -90, 45, 96, 54, 0.6, rich, 120);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 16);
}
function draw() { noLoop(); }
