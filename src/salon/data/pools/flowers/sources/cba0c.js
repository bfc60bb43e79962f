// peach hibiscus
const pale = "#f5a87e", rich = "#ec8a5e", deep = "#ec8a5e";
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
  brush.fillTexture(0.6, 0.3);
  brush.fill("#6f8f55", 200);
  petal(x, y, 90, 218, 8, 0.4);
  petal(x, y + 56, 44, 96, 40, 0.2);
  ring(x, y, 5, -90, 72, 90, 82, 0.5, pale, 70);
  ring(x, y, 5, -90, 72, 72, 50, 0.4, rich, 70);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 14);
}
function draw() { noLoop(); }
