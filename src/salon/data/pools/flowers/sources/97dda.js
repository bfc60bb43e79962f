// indigo hibiscus
const pale = "#8490d3", rich = "#5360b5", deep = "#262c6c";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.3);
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
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#5d8150", 200);
  petal(x, y, 98, 210, 8, 0.4);
  petal(x, y + 94, 30, 116, 52, 0.2);
  ring(x, y, 3, -90, 120, 106, 100, 0.5, pale, 200);
  ring(x, y, 8, -90, 72, 88, 56, 0.4, rich, 210);
  brush.fill("#f2c14e", 190);
  brush.circle(x, y, 18);
}
function draw() { noLoop(); }
