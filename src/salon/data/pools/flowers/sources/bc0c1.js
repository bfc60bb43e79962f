// cobalt hibiscus
const pale = "#7aa5e0", rich = "#7aa5e0", deep = "#437bcb";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
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
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.6);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#4d7358", 200);
  petal(x, y, 98, 192, 10, 0.4);
  petal(x, y + 66, 30, 80, 48, 0.2);
  ring(x, y, 5, -90, 72, 82, 76, 0.5, pale, 70);
  ring(x, y, 5, -90, 72, 66, 46, 0.4, rich, 70);
  brush.fill("#f2c14e", 190);
  brush.circle(x, y, 14);
}
function draw() { noLoop(); }
