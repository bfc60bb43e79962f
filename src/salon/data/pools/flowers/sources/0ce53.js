// sky blue rose
const pale = "#fa9a84", rich = "#fa9a84", deep = "#f47560";
const x = 200, y = 200;
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
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#d5ecc4");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#f0d9b5", 110);
  brush.circle(172, 158, 150);
  brush.circle(240, 238, 140);
  brush.fill("#94a86b", 150);
  petal(x, y + 74, 86, 204, 10, 0.4);
  petal(x, y + 108, 30, 110, 38, 0.2);
  petal(x, y + 102, 150, 134, 50, 0.2);
  ring(x, y, 6, -90, 60, 118, 104, 0.55, rich, 120);
  brush.fill("#d9962b", 255);
  brush.circle(x, y, 20);
  brush.fill(rich, 200);
  for (let i = 0; i < 6; i++) brush.circle(random(40, 360), random(40, 360), random(10, 20));
}
function draw() { noLoop(); }
