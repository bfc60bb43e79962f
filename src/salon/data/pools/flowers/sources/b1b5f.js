// lemon iris
const pale = "#fae97a", rich = "#e8c22c", deep = "#cba31c";
const x = 194, y = 206;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.45, -w * 0.42);
  brush.vertex(l * 0.88, -w * t * random(0.8, 1.1));
  brush.vertex(l * random(0.86, 1.06), 0);
  brush.vertex(l * 0.88, w * t * random(0.8, 1.1));
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
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#c3dbe8", 90);
  brush.circle(190, 138, 150);
  brush.circle(196, 196, 96);
  brush.fill("#7f9c6a", 150);
  petal(x, y - 20, 84, 202, 10, 0.4);
  petal(x, y + 158, -56, 126, 30, 0.2);
  brush.fill("#94a86b", 150);
  petal(x, y + 154, -116, 122, 32, 0.2);
  petal(x, y + 152, -46, 144, 8, 0.4);
  ring(x + 96, y + 42, 2, -90, 28, 56, 34, 0.4, rich, 150);
  ring(x, y, 3, -124, 34, 120, 76, 0.5, pale, 120);
  ring(x, y, 3, 44, 46, 134, 70, 0.5, rich, 130);
  ring(x, y, 3, 44, 46, 84, 34, 0.4, deep, 150);
  ring(x, y, 3, 44, 46, 48, 12, 0.4, "#d9962b", 180);
  brush.fill(pale, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
