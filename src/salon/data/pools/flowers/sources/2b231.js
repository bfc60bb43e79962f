// scarlet tulip
const pale = "#f46b55", rich = "#e63a2a", deep = "#98191b";
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
  brush.fillBleed(0.02);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#5d8150", 200);
  petal(x, y - 20, 86, 222, 10, 0.4);
  petal(x, y + 134, -66, 122, 38, 0.2);
  ring(x, y, 3, -118, 28, 100, 62, 0.34, pale, 30);
  ring(x, y, 2, -104, 28, 100, 62, 0.3, rich, 40);
  brush.fill(pale, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
