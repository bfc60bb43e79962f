// rose pink hibiscus
const pale = "#e26a92", rich = "#cb4877", deep = "#cb4877";
const x = 94, y = 58;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.circle(l * 0.6, 0, w * 0.5);
  pop();
}
function ring(x, y, n, a, s, l, w, t, c, o) {
  for (let i = 0; i < n; i++) {
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#6a6a72");
  brush.noStroke();
  brush.fillBleed(0.02);
  brush.fillTexture(0, 0);
  brush.fill("#2fbf3a", 180);
  petal(x, y, 86, 192, 12, 0.4);
  petal(x, y + 86, 34, 150, 46, 0.2);
  ring(x, y, 3, -90, 120, 174, 162, 0.5, pale, 200);
  ring(x, y, 8, -90, 45, 150, 118, 0.4, rich, 210);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 32);
}
function draw() { noLoop(); }
