// cobalt peony
const pale = "#b3cdf0", rich = "#437bcb", deep = "#1c4283";
const x = 192, y = 178;
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
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#c3dbe8", 90);
  brush.circle(172, 136, 94);
  brush.fill("#94a86b", 130);
  petal(x, y + 56, 86, 228, 8, 0.4);
  petal(x, y + 90, 52, 138, 52, 0.2);
  brush.fill("#94a86b", 130);
  petal(x, y + 114, 134, 118, 56, 0.2);
  petal(x, y + 64, 10, 96, 50, 0.2);
  petal(x, y + 104, -132, 150, 8, 0.4);
  ring(x - 104, y + -6, 2, -114, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 7, -90, 51, 110, 94, 0.55, rich, 160);
  brush.fill("#e9ae36", 200);
  brush.circle(x, y, 14);
  brush.fill("#3b2f38", 180);
  for (let i = 0; i < 5; i++) brush.circle(x + random(-20, 20), y + random(-20, 20), 3);
  brush.fill(rich, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
