// sky blue poppy
const pale = "#a3d3f0", rich = "#a3d3f0", deep = "#74b8e4";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.3);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.45, -w * 0.42);
  brush.vertex(l * 0.88, -w * t * random(0.8, 1.1));
  brush.vertex(l, 0);
  brush.vertex(l * 0.88, w * t * random(0.8, 1.1));
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
  brush.fillBleed(0.06);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#6f8f55", 200);
  petal(x, y, 90, 218, 10, 0.4);
  petal(x, y + 96, 38, 114, 42, 0.2);
  ring(x, y, 4, -60, 90, 94, 112, 0.55, pale, 200);
  ring(x, y, 4, -15, 90, 78, 78, 0.5, rich, 210);
  brush.fill("#3b2f38", 190);
  brush.circle(x, y, 16);
}
function draw() { noLoop(); }
