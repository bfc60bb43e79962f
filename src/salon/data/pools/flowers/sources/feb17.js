// orange poppy
const pale = "#fdd09a", rich = "#f48c2a", deep = "#bd5712";
const x = 282, y = 290;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.4);
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#dcdcdc");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0, 0);
  brush.fill("#7f9c6a", 180);
  petal(x, y, 88, 210, 12, 0.4);
  petal(x, y + 94, 38, 96, 52, 0.2);
  ring(x, y, 4, -60, 90, 76, 94, 0.55, rich, 30);
  brush.fill("#2e3140", 190);
  brush.circle(x, y, 14);
}
function draw() { noLoop(); }
