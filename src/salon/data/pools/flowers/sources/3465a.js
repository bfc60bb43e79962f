// sky blue hibiscus
const pale = "#a3d3f0", rich = "#a3d3f0", deep = "#74b8e4";
const x = 116, y = 252;
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
  background("#bfe3f5");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.9, 0.9);
  brush.fill("#4d7358", 180);
  petal(x, y, 90, 192, 12, 0.4);
  petal(x, y + 86, 26, 124, 36, 0.2);
  ring(x, y, 5, -90, 72, 186, 172, 0.5, pale, 200);
  ring(x, y, 5, -90, 72, 148, 104, 0.4, rich, 210);
  ring(x, y, 5, -90, 72, 78, 52, 0.3, deep, 220);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 30);
}
function draw() { noLoop(); }
