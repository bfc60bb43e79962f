// crimson daisy
const pale = "#e2616f", rich = "#e2616f", deep = "#c92a42";
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
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#7d9a5f", 180);
  petal(x, y, 94, 194, 10, 0.4);
  petal(x, y + 98, 48, 88, 52, 0.2);
  ring(x, y, 12, -90, 30, 94, 28, 0.5, pale, 70);
  ring(x, y, 6, -76, 60, 76, 18, 0.4, rich, 70);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 22);
}
function draw() { noLoop(); }
