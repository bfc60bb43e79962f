// violet sunflower
const pale = "#d9c7ee", rich = "#b796df", deep = "#9166c8";
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.02);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#4d7358", 180);
  petal(x, y, 86, 208, 12, 0.4);
  petal(x, y + 76, 48, 94, 52, 0.2);
  ring(x, y, 14, -90, 26, 92, 26, 0.26, pale, 200);
  ring(x, y, 7, -78, 51, 76, 18, 0.22, rich, 210);
  ring(x, y, 7, -90, 51, 52, 12, 0.2, deep, 220);
  brush.fill("#2e3140", 255);
  brush.circle(x, y, 32);
}
function draw() { noLoop(); }
