// magenta hibiscus
const pale = "#e678bb", rich = "#d2419b", deep = "#861a5f";
const x = 310, y = 146;
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
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#1f7a2e", 180);
  petal(x, y, 86, 192, 10, 0.4);
  petal(x, y + 56, 50, 56, 54, 0.2);
  ring(x, y, 5, -90, 72, 54, 50, 0.5, pale, 160);
  ring(x, y, 5, -90, 72, 44, 30, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 22, 16, 0.3, deep, 190);
  brush.fill("#d9962b", 180);
  petal(x, y, -130, 44, 10, 0.5);
  brush.fill(rich, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
