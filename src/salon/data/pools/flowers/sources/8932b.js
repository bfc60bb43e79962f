// sky blue daisy
const pale = "#a3d3f0", rich = "#a3d3f0", deep = "#74b8e4";
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
  brush.fillTexture(0.6, 0.3);
  brush.fill("#6f8f55", 180);
  petal(x, y, 88, 230, 10, 0.4);
  petal(x, y + 70, 50, 94, 46, 0.2);
  ring(x, y, 12, -90, 30, 86, 26, 0.5, pale, 200);
  ring(x, y, 6, -76, 60, 68, 18, 0.4, rich, 210);
  brush.fill("#f2c14e", 190);
  brush.circle(x, y, 20);
}
function draw() { noLoop(); }
