// cobalt poppy
const pale = "#7aa5e0", rich = "#7aa5e0", deep = "#437bcb";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.3);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.45, -w * 0.42);
  brush.vertex(l * 0.88, -w * t * random(0.8, 1.1));
  brush.vertex(l, 0);
  brush.vertex(l * 0.88, w * t * random(0.8, 1.1));
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
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#6f8f55", 200);
  petal(x, y, 94, 220, 12, 0.4);
  petal(x, y + 82, 28, 68, 50, 0.2);
  ring(x, y, 4, -60, 90, 78, 94, 0.55, pale, 200);
  ring(x, y, 4, -15, 90, 64, 66, 0.5, rich, 210);
  brush.fill("#3b2f38", 190);
  brush.circle(x, y, 14);
}
function draw() { noLoop(); }
