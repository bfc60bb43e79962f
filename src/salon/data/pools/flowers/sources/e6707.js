// sky blue hibiscus
const pale = "#e63a2a", rich = "#c7261f", deep = "#c7261f";
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
  brush.fillBleed(0.22);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#6f8f55", 255);
  petal(x, y, 96, 220, 12, 0.4);
  ring(x, y, 8, -90, 72, 86, 104, 0.5, pale, 140);
  ring(x, y, 8, -90, 45, 68, 56, 0.4, rich, 150);
  brush.fill("#f2c14e", 190);
  brush.circle(x, y, 14);
}
function draw() { noLoop(); }
