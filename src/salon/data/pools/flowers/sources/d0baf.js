// magenta lily
const pale = "#d2419b", rich = "#b0257d", deep = "#b0257d";
const x = 200, y = 200;
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
    petal(x, y, a + i * s + random(-9, 9), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#7f9c6a", 255);
  petal(x, y, 88, 196, 12, 0.4);
  ring(x, y, 6, -90, 60, 42, 16, 0.28, pale, 255);
  ring(x, y, 6, -90, 60, 32, 8, 0.22, rich, 255);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 6);
}
function draw() { noLoop(); }
