// blush pink cosmos
const pale = "#f6c3cc", rich = "#f6c3cc", deep = "#eea3b2";
const x = 62, y = 208;
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
    petal(x, y, a + i * s + random(-9, 9), l * random(0.94, 1.06), w, t);
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
  brush.fill("#5d8150", 200);
  petal(x, y, 98, 212, 8, 0.4);
  petal(x, y + 50, 34, 76, 50, 0.2);
  ring(x, y, 8, -90, 45, 76, 42, 0.6, pale, 200);
  ring(x, y, 8, -90, 45, 60, 22, 0.45, rich, 210);
  ring(x, y, 8, -90, 45, 30, 8, 0.3, deep, 220);
  brush.fill("#d9962b", 190);
  brush.circle(x, y, 12);
}
function draw() { noLoop(); }
