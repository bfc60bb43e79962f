// violet hibiscus
const pale = "#b796df", rich = "#9166c8", deep = "#532c88";
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
    petal(x, y, a + i * s + random(-9, 9), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#e8c9d6");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#7d9a5f", 180);
  petal(x, y, 96, 196, 10, 0.4);
  petal(x, y + 100, 32, 128, 38, 0.2);
  ring(x, y, 8, -90, 72, 120, 104, 0.5, pale, 70);
  ring(x, y, 8, -90, 72, 90, 62, 0.4, rich, 70);
  ring(x, y, 3, -90, 72, 50, 48, 0.3, deep, 90);
  brush.fill("#d9962b", 190);
  brush.circle(x, y, 20);
}
function draw() { noLoop(); }
