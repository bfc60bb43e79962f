// blush pink hibiscus
const pale = "#fbdfe3", rich = "#f6c3cc", deep = "#eea3b2";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.1);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.6, -w * 0.5);
  brush.vertex(l, 0);
  brush.vertex(l * 0.6, w * 0.5);
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
  background("#6a6a72");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#6f8f55", 200);
  petal(x, y, 94, 208, 8, 0.4);
  petal(x, y + 94, 26, 102, 38, 0.2);
  ring(x, y, 5, -90, 72, 94, 86, 0.5, rich, 70);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 16);
}
function draw() { noLoop(); }
