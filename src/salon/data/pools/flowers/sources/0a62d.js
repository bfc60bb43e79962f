// blush pink hibiscus
const pale = "#f6c3cc", rich = "#e0839a", deep = "#c9647f";
const x = 214, y = 176;
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
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#5f8259", 110);
  petal(x, y + 78, 86, 198, 8, 0.4);
  petal(x, y + 126, 24, 110, 44, 0.2);
  brush.fill("#94a86b", 110);
  petal(x, y + 100, 146, 134, 44, 0.2);
  petal(x, y + 128, 18, 148, 38, 0.2);
  ring(x, y, 5, -90, 72, 120, 110, 0.5, pale, 70);
  ring(x, y, 5, -90, 72, 96, 68, 0.4, rich, 70);
  ring(x, y, 5, -90, 72, 50, 34, 0.3, deep, 90);
  brush.fill("#d9962b", 180);
  petal(x, y, -130, 96, 10, 0.5);
  brush.fill(rich, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
