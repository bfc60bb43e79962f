// magenta rose
const pale = "#d2419b", rich = "#b0257d", deep = "#b0257d";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.6, -w * 0.5);
  brush.vertex(l, 0);
  brush.vertex(l * 0.6, w * 0.5);
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
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#dccbe4", 110);
  brush.circle(222, 222, 130);
  brush.circle(262, 168, 148);
  brush.fill("#7d9a5f", 200);
  petal(x, y, 92, 194, 12, 0.4);
  petal(x, y + 66, 48, 82, 42, 0.2);
  petal(x, y + 144, -48, 160, 8, 0.4);
  ring(x + 96, y + 34, 2, -82, 18, 44, 24, 0.4, rich, 160);
  ring(x, y, 6, -90, 60, 86, 78, 0.55, pale, 70);
  ring(x, y, 5, -60, 72, 60, 56, 0.55, rich, 70);
}
function draw() { noLoop(); }
