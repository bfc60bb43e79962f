// sky blue hibiscus
const pale = "#a3d3f0", rich = "#a3d3f0", deep = "#74b8e4";
const x = 186, y = 182;
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
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0, 0);
  ring(x, y, 3, -90, 120, 98, 96, 0.5, pale, 30);
  ring(x, y, 8, -90, 72, 72, 52, 0.4, rich, 40);
  ring(x, y, 8, -90, 72, 40, 36, 0.3, deep, 50);
}
function draw() { noLoop(); }
