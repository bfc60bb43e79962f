// violet poppy
const pale = "#d9c7ee", rich = "#9166c8", deep = "#532c88";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.6);
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#cfdfb8", 90);
  brush.circle(226, 260, 92);
  brush.fill("#94a86b", 130);
  petal(x, y, 96, 198, 8, 0.4);
  petal(x, y + 62, 26, 102, 38, 0.2);
  brush.fill("#5f8259", 130);
  petal(x, y + 76, 142, 98, 54, 0.2);
  petal(x, y + 98, 10, 118, 54, 0.2);
  ring(x, y, 4, -60, 90, 106, 128, 0.55, pale, 160);
  ring(x, y, 4, -15, 90, 86, 90, 0.5, rich, 160);
  ring(x, y, 4, -60, 90, 38, 32, 0.3, deep, 190);
  brush.fill("#4a3428", 200);
  brush.circle(x, y, 18);
  brush.fill("#f2c14e", 180);
  for (let i = 0; i < 4; i++) brush.circle(x + random(-26, 26), y + random(-26, 26), 3);
  brush.fill(rich, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
