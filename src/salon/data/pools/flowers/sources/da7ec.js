// rose pink hibiscus
const pale = "#f096b2", rich = "#f096b2", deep = "#e26a92";
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
  brush.fill("#6f8f55", 200);
  petal(x, y, 86, 218, 10, 0.4);
  petal(x, y + 88, 38, 94, 46, 0.2);
  petal(x, y + 118, -48, 152, 8, 0.4);
  ring(x + 102, y + 8, 2, -82, 18, 44, 24, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 90, 82, 0.5, pale, 70);
  ring(x, y, 5, -90, 72, 72, 52, 0.4, rich, 70);
  brush.fill("#f2c14e", 190);
  brush.circle(x, y, 14);
  brush.fill(rich, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
