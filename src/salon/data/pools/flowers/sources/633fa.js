// blush pink iris
const pale = "#f6c3cc", rich = "#e0839a", deep = "#c9647f";
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
    brush.fill(c, o);
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
  brush.fillTexture(0.4, 0.4);
  brush.fill("#cfdfb8", 110);
  brush.circle(168, 194, 98);
  brush.circle(132, 212, 122);
  brush.fill("#5f8259", 180);
  petal(x, y - 20, 84, 194, 12, 0.4);
  petal(x, y + 146, -54, 136, 32, 0.2);
  petal(x, y + 116, -46, 140, 8, 0.4);
  ring(x + 84, y + 6, 2, -90, 28, 56, 34, 0.4, rich, 150);
  ring(x, y, 3, -124, 34, 104, 64, 0.5, pale, 140);
  ring(x, y, 3, 44, 46, 116, 60, 0.5, rich, 150);
  brush.fill("#d9962b", 190);
  brush.circle(x, y, 18);
  brush.fill(pale, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
