// indigo anemone
const pale = "#8490d3", rich = "#384291", deep = "#262c6c";
const x = 196, y = 166;
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
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#4d7358", 130);
  petal(x, y + 70, 86, 210, 12, 0.4);
  petal(x, y + 124, 46, 98, 46, 0.2);
  brush.fill("#4d7358", 130);
  petal(x, y + 108, 154, 114, 38, 0.2);
  petal(x, y + 138, -132, 162, 8, 0.4);
  ring(x - 100, y + 28, 2, -114, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 7, -90, 51, 114, 76, 0.5, rich, 140);
  brush.fill("#2e3140", 200);
  brush.circle(x, y, 20);
  brush.fill("#d9962b", 180);
  for (let i = 0; i < 4; i++) brush.circle(x + random(-28, 28), y + random(-28, 28), 3);
  brush.fill(pale, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
