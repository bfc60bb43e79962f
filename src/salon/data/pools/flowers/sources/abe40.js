// blush pink hibiscus
const pale = "#fbdfe3", rich = "#f6c3cc", deep = "#eea3b2";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.4);
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
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-9, 9), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.6);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#7d9a5f", 180);
  petal(x, y, 84, 224, 12, 0.4);
  petal(x, y + 72, 48, 84, 56, 0.2);
  ring(x, y, 5, -90, 72, 82, 76, 0.5, pale, 200);
  ring(x, y, 5, -90, 72, 66, 46, 0.4, rich, 210);
  ring(x, y, 5, -90, 72, 34, 16, 0.2, deep, 220);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 14);
}
function draw() { noLoop(); }
