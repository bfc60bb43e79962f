// lemon sunflower
const pale = "#fae97a", rich = "#f5d94a", deep = "#cba31c";
const x = 204, y = 184;
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
  brush.fillTexture(0.4, 0.3);
  brush.fill("#cfdfb8", 110);
  brush.circle(192, 174, 98);
  brush.fill("#94a86b", 110);
  petal(x, y + 76, 88, 226, 12, 0.4);
  petal(x, y + 72, 38, 106, 44, 0.2);
  brush.fill("#5f8259", 110);
  petal(x, y + 66, 136, 108, 46, 0.2);
  petal(x, y + 106, 16, 98, 40, 0.2);
  ring(x, y, 14, -90, 26, 106, 30, 0.26, pale, 160);
  ring(x, y, 7, -78, 51, 86, 22, 0.22, rich, 160);
  ring(x, y, 7, -90, 51, 60, 12, 0.2, deep, 190);
  brush.fill("#2e3140", 200);
  brush.circle(x, y, 36);
  brush.fill("#e9ae36", 180);
  for (let i = 0; i < 4; i++) brush.circle(x + random(-50, 50), y + random(-50, 50), 3);
}
function draw() { noLoop(); }
