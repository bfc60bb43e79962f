// magenta hibiscus
const pale = "#e678bb", rich = "#d2419b", deep = "#861a5f";
const x = 188, y = 182;
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
    brush.fill(c, o * random(0.7, 1.2));
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#7f9c6a", 130);
  petal(x, y + 58, 94, 214, 12, 0.4);
  petal(x, y + 74, 30, 114, 48, 0.2);
  brush.fill("#4d7358", 130);
  petal(x, y + 92, 156, 102, 40, 0.2);
  petal(x, y + 146, -48, 158, 8, 0.4);
  ring(x + 96, y + 36, 2, -82, 18, 52, 30, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 106, 98, 0.5, pale, 160);
  ring(x, y, 5, -90, 72, 84, 60, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 44, 30, 0.3, deep, 190);
  brush.fill("#e9ae36", 180);
  petal(x, y, -130, 84, 10, 0.5);
  brush.fill(pale, 200);
  for (let i = 0; i < 6; i++) brush.circle(random(40, 360), random(40, 360), random(10, 20));
}
function draw() { noLoop(); }
