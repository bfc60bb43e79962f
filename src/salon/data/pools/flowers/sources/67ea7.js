// sky blue cosmos
const pale = "#cfe8f7", rich = "#74b8e4", deep = "#4c9ad1";
const x = 196, y = 164;
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
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#cfdfb8", 90);
  brush.circle(204, 200, 112);
  brush.circle(168, 138, 142);
  brush.fill("#5f8259", 110);
  petal(x, y, 90, 202, 12, 0.4);
  petal(x, y + 70, 32, 114, 44, 0.2);
  petal(x, y + 76, 130, 114, 44, 0.2);
  ring(x, y, 8, -90, 45, 114, 64, 0.6, pale, 120);
  ring(x, y, 8, -90, 45, 88, 34, 0.45, rich, 130);
  ring(x, y, 8, -90, 45, 46, 12, 0.3, deep, 150);
  brush.fill("#f2c14e", 200);
  brush.circle(x, y, 18);
  brush.fill("#2e3140", 180);
  for (let i = 0; i < 6; i++) brush.circle(x + random(-26, 26), y + random(-26, 26), 3);
  brush.fill(rich, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
