// rose pink lily
const pale = "#f9c3d3", rich = "#e26a92", deep = "#cb4877";
const x = 214, y = 174;
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
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#c3dbe8", 90);
  brush.circle(158, 220, 120);
  brush.fill("#5f8259", 130);
  petal(x, y, 94, 210, 10, 0.4);
  petal(x, y + 128, 26, 130, 46, 0.2);
  petal(x, y + 114, 136, 104, 50, 0.2);
  petal(x, y + 116, 8, 100, 50, 0.2);
  ring(x, y, 6, -90, 60, 116, 54, 0.28, pale, 120);
  ring(x, y, 6, -90, 60, 96, 30, 0.22, rich, 130);
  ring(x, y, 6, -90, 60, 46, 12, 0.2, deep, 150);
  brush.fill("#d9962b", 255);
  brush.circle(x, y, 18);
  brush.fill(rich, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
