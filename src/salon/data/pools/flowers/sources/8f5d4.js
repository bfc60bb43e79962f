// magenta hibiscus
const pale = "#f4b0da", rich = "#e678bb", deep = "#d2419b";
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0, 0);
  petal(x, y + 150, -48, 158, 8, 0.4);
  ring(x + 96, y + 40, 2, -82, 18, 42, 24, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 84, 78, 0.5, rich, 30);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 14);
}
function draw() { noLoop(); }
