// rose pink peony
const pale = "#e26a92", rich = "#cb4877", deep = "#cb4877";
const x = 192, y = 176;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#94a86b", 130);
  petal(x, y, 90, 204, 8, 0.4);
  petal(x, y + 104, 48, 114, 54, 0.2);
  brush.fill("#5f8259", 130);
  petal(x, y + 68, 148, 110, 36, 0.2);
  petal(x, y + 116, 10, 106, 38, 0.2);
  petal(x, y + 102, -134, 140, 8, 0.4);
  ring(x - 102, y + -8, 2, -118, 28, 52, 32, 0.4, rich, 150);
  ring(x, y, 7, -90, 51, 106, 92, 0.55, pale, 120);
  ring(x, y, 6, -60, 60, 78, 66, 0.55, rich, 130);
  ring(x, y, 5, -30, 72, 50, 44, 0.5, deep, 150);
  brush.fill("#d9962b", 200);
  brush.circle(x, y, 12);
  brush.fill("#4a3428", 180);
  for (let i = 0; i < 4; i++) brush.circle(x + random(-16, 16), y + random(-16, 16), 3);
}
function draw() { noLoop(); }
