// scarlet hibiscus
const pale = "#e63a2a", rich = "#c7261f", deep = "#c7261f";
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
    petal(x, y, a + i * s + 0, l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.02);
  brush.fillTexture(0.2, 0.2);
  ring(x, y, 8, -90, 45, 78, 74, 0.5, pale, 200);
  ring(x, y, 8, -90, 72, 64, 48, 0.4, rich, 210);
  brush.fill("#f2c14e", 190);
  brush.circle(x, y, 12);
}
function draw() { noLoop(); }
