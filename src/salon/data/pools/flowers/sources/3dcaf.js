// lilac lily
const pale = "#eadcf2", rich = "#d5bde6", deep = "#bd9cd6";
const x = 188, y = 166;
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
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.6);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#f0d9b5", 110);
  brush.circle(174, 168, 116);
  ring(x, y, 6, -90, 60, 108, 50, 0.28, pale, 160);
  ring(x, y, 6, -90, 60, 88, 28, 0.22, rich, 160);
  ring(x, y, 6, -90, 60, 44, 10, 0.2, deep, 190);
  ring(x, y, 5, -62, 72, 52, 6, 0.9, "#f2c14e", 200);
}
function draw() { noLoop(); }
