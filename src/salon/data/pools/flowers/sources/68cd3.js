// blush pink hibiscus
const pale = "#fbdfe3", rich = "#eea3b2", deep = "#c9647f";
const x = 182, y = 172;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.6);
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
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#f0d9b5", 90);
  brush.circle(234, 164, 104);
  brush.fill("#5f8259", 130);
  petal(x, y + 76, 88, 214, 10, 0.4);
  petal(x, y + 74, 34, 94, 38, 0.2);
  brush.fill("#4d7358", 130);
  petal(x, y + 96, 148, 112, 48, 0.2);
  ring(x, y, 5, -90, 72, 110, 102, 0.5, pale, 160);
  ring(x, y, 5, -90, 72, 88, 62, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 46, 30, 0.3, deep, 190);
  brush.fill("#e9ae36", 180);
  petal(x, y, -50, 88, 10, 0.5);
}
function draw() { noLoop(); }
