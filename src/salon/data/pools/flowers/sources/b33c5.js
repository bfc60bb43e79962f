// indigo tulip
const pale = "#8490d3", rich = "#5360b5", deep = "#262c6c";
const x = 186, y = 214;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
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
  brush.fill("#f0d9b5", 90);
  brush.circle(258, 216, 118);
  brush.circle(194, 232, 144);
  brush.fill("#94a86b", 130);
  petal(x, y - 20, 96, 226, 10, 0.4);
  petal(x, y + 156, -56, 132, 30, 0.2);
  brush.fill("#94a86b", 130);
  petal(x, y + 144, -122, 128, 30, 0.2);
  ring(x, y, 3, -118, 28, 122, 76, 0.34, pale, 120);
  ring(x, y, 2, -104, 28, 114, 74, 0.3, rich, 130);
  ring(x, y, 1, -90, 28, 80, 52, 0.3, deep, 150);
  brush.fill(pale, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
