// magenta rose
const pale = "#f4b0da", rich = "#d2419b", deep = "#b0257d";
const x = 200, y = 176;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.6);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.45, -w * 0.42);
  brush.vertex(l * 0.88, -w * t * random(0.8, 1.1));
  brush.vertex(l * random(0.86, 1.06), 0);
  brush.vertex(l * 0.88, w * t * random(0.8, 1.1));
  brush.vertex(l * 0.45, w * 0.42);
  brush.endShape(true);
  pop();
}
function ring(x, y, n, a, s, l, w, t, c, o) {
  for (let i = 0; i < n; i++) {
    brush.fill(c, o * random(0.7, 1.2));
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0, 0);
  brush.fill("#c3dbe8", 90);
  brush.circle(236, 140, 136);
  brush.fill("#5f8259", 150);
  petal(x, y, 94, 216, 8, 0.4);
  petal(x, y + 130, 48, 144, 40, 0.2);
  brush.fill("#5f8259", 150);
  petal(x, y + 130, 146, 108, 38, 0.2);
  petal(x, y + 124, 16, 118, 54, 0.2);
  ring(x, y, 6, -90, 60, 120, 108, 0.55, pale, 160);
  ring(x, y, 5, -60, 72, 84, 80, 0.55, rich, 160);
  ring(x, y, 4, -30, 90, 52, 52, 0.5, deep, 190);
  ring(x, y, 3, -90, 120, 26, 32, 0.5, deep, 190);
}
function draw() { noLoop(); }
