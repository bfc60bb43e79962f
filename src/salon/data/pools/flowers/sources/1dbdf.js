// orange hibiscus
const pale = "#fdd09a", rich = "#f48c2a", deep = "#bd5712";
const x = 186, y = 178;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#94a86b", 150);
  petal(x, y, 84, 204, 10, 0.4);
  petal(x, y + 76, 48, 90, 36, 0.2);
  petal(x, y + 56, 134, 94, 54, 0.2);
  petal(x, y + 80, 16, 94, 50, 0.2);
  petal(x, y + 146, -134, 134, 8, 0.4);
  ring(x - 90, y + 36, 2, -118, 28, 50, 30, 0.4, rich, 150);
  ring(x, y, 5, -90, 72, 100, 92, 0.5, pale, 70);
  ring(x, y, 5, -90, 72, 80, 56, 0.4, rich, 70);
  ring(x, y, 5, -90, 72, 42, 20, 0.2, deep, 90);
  brush.fill("#d9962b", 180);
  petal(x, y, -50, 80, 10, 0.5);
}
function draw() { noLoop(); }
