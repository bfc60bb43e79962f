// blush pink hibiscus
const pale = "#fbdfe3", rich = "#f6c3cc", deep = "#eea3b2";
const x = 194, y = 176;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.circle(l * 0.6, 0, w * 0.5);
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
  background("#6a6a72");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#5f8259", 200);
  petal(x, y, 92, 220, 12, 0.4);
  petal(x, y + 80, 44, 106, 48, 0.2);
  ring(x, y, 5, -90, 72, 88, 96, 0.5, pale, 200);
  ring(x, y, 5, -90, 72, 68, 54, 0.4, rich, 210);
  brush.fill("#d9962b", 190);
  brush.circle(x, y, 14);
}
function draw() { noLoop(); }
