// indigo hibiscus
const pale = "#8490d3", rich = "#5360b5", deep = "#262c6c";
const x = 200, y = 200;
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
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f7e2a0");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#cfdfb8", 110);
  brush.circle(184, 192, 134);
  brush.fill("#7f9c6a", 150);
  petal(x, y + 58, 86, 214, 12, 0.4);
  petal(x, y + 114, 42, 118, 38, 0.2);
  petal(x, y + 94, 136, 116, 52, 0.2);
  petal(x, y + 88, 20, 110, 38, 0.2);
  petal(x, y + 146, -48, 152, 8, 0.4);
  ring(x + 106, y + 36, 2, -82, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 110, 102, 0.5, pale, 200);
  ring(x, y, 5, -90, 72, 88, 62, 0.4, rich, 210);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 18);
}
function draw() { noLoop(); }
