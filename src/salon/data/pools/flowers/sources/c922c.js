// blush pink rose
const pale = "#f6c3cc", rich = "#e0839a", deep = "#c9647f";
const x = 200, y = 172;
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
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#cfdfb8", 110);
  brush.circle(140, 156, 146);
  brush.circle(142, 158, 90);
  brush.fill("#4d7358", 150);
  petal(x, y + 68, 88, 192, 10, 0.4);
  petal(x, y + 88, 48, 94, 52, 0.2);
  brush.fill("#5f8259", 150);
  petal(x, y + 56, 144, 102, 44, 0.2);
  petal(x, y + 118, -132, 164, 8, 0.4);
  ring(x - 96, y + 8, 2, -114, 18, 50, 28, 0.4, rich, 160);
  ring(x, y, 6, -90, 60, 100, 90, 0.55, pale, 140);
  ring(x, y, 5, -60, 72, 70, 66, 0.55, rich, 150);
  ring(x, y, 4, -30, 90, 44, 44, 0.5, deep, 180);
  ring(x, y, 3, -90, 120, 22, 26, 0.5, deep, 180);
}
function draw() { noLoop(); }
