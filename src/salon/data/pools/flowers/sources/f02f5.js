// cobalt hibiscus
const pale = "#b3cdf0", rich = "#437bcb", deep = "#1c4283";
const x = 302, y = 106;
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
    brush.fill(c, o * random(0.7, 1.2));
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#4d7358", 150);
  petal(x, y + 28, 84, 222, 12, 0.4);
  petal(x, y + 42, 40, 48, 54, 0.2);
  petal(x, y + 40, 142, 52, 44, 0.2);
  ring(x, y, 5, -90, 72, 48, 46, 0.5, pale, 120);
  ring(x, y, 5, -90, 72, 40, 30, 0.4, rich, 130);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 8);
}
function draw() { noLoop(); }
