// blush pink hibiscus
const pale = "#fbdfe3", rich = "#f6c3cc", deep = "#eea3b2";
const x = 200, y = 200;
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
    brush.fill(c, o * random(0.7, 1.2));
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#7d9a5f", 200);
  petal(x, y, 86, 216, 12, 0.4);
  petal(x, y + 26, 38, 38, 46, 0.2);
  ring(x, y, 5, -90, 72, 36, 34, 0.5, pale, 70);
  ring(x, y, 5, -90, 72, 28, 20, 0.4, rich, 70);
  brush.fill("#f2c14e", 190);
  brush.circle(x, y, 6);
}
function draw() { noLoop(); }
