// scarlet hibiscus
const pale = "#f46b55", rich = "#e63a2a", deep = "#98191b";
const x = 218, y = 178;
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
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#4d7358", 110);
  petal(x, y + 72, 90, 224, 8, 0.4);
  petal(x, y + 114, 34, 122, 42, 0.2);
  brush.fill("#5f8259", 110);
  petal(x, y + 68, 142, 134, 48, 0.2);
  petal(x, y + 90, 18, 110, 36, 0.2);
  petal(x, y + 126, -48, 166, 8, 0.4);
  ring(x + 102, y + 16, 2, -82, 18, 54, 30, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 108, 100, 0.5, pale, 70);
  ring(x, y, 5, -90, 72, 86, 60, 0.4, rich, 70);
  brush.fill("#e9ae36", 180);
  petal(x, y, -130, 86, 10, 0.5);
  brush.fill(pale, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
