// peach hibiscus
const pale = "#fddcc4", rich = "#f5a87e", deep = "#ec8a5e";
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#5d8150", 180);
  petal(x, y, 92, 192, 8, 0.4);
  petal(x, y + 70, 24, 96, 48, 0.2);
  ring(x, y, 5, -90, 51, 94, 84, 0.5, pale, 120);
  ring(x, y, 5, -90, 72, 76, 52, 0.4, rich, 130);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 16);
}
function draw() { noLoop(); }
