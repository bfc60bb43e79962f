// indigo hibiscus
const pale = "#8490d3", rich = "#8490d3", deep = "#5360b5";
const x = 200, y = 200;
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
  brush.fill("#94a86b", 130);
  petal(x, y + 58, 96, 192, 12, 0.4);
  petal(x, y + 86, 46, 116, 46, 0.2);
  petal(x, y + 70, 134, 126, 40, 0.2);
  ring(x, y, 5, -90, 72, 112, 104, 0.5, pale, 140);
  ring(x, y, 5, -90, 72, 90, 62, 0.4, rich, 150);
  ring(x, y, 5, -90, 72, 48, 32, 0.3, deep, 180);
  brush.fill("#f2c14e", 180);
  petal(x, y, -140, 90, 10, 0.5);
}
function draw() { noLoop(); }
