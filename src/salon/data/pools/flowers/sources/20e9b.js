// crimson peony
const pale = "#e2616f", rich = "#c92a42", deep = "#7d0f28";
const x = 202, y = 182;
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
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#f0d9b5", 110);
  brush.circle(192, 150, 112);
  brush.fill("#5f8259", 130);
  petal(x, y, 86, 218, 8, 0.4);
  petal(x, y + 66, 34, 112, 46, 0.2);
  brush.fill("#4d7358", 130);
  petal(x, y + 96, 144, 108, 40, 0.2);
  petal(x, y + 110, -134, 140, 8, 0.4);
  ring(x - 96, y + 0, 2, -118, 28, 52, 32, 0.4, rich, 150);
  ring(x, y, 7, -90, 51, 102, 88, 0.55, pale, 140);
  ring(x, y, 6, -60, 60, 76, 64, 0.55, rich, 150);
  ring(x, y, 5, -30, 72, 48, 42, 0.5, deep, 180);
  brush.fill("#d9962b", 200);
  brush.circle(x, y, 12);
  brush.fill("#4a3428", 180);
  for (let i = 0; i < 6; i++) brush.circle(x + random(-16, 16), y + random(-16, 16), 3);
}
function draw() { noLoop(); }
