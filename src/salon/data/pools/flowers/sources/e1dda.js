// lilac anemone
const pale = "#96866f", rich = "#96866f", deep = "#75664f";
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
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.6);
  brush.fillTexture(0, 0);
  brush.fill("#7f9c6a", 180);
  petal(x, y, 88, 206, 8, 0.4);
  petal(x, y + 42, 46, 72, 46, 0.2);
  ring(x, y, 7, -90, 51, 72, 48, 0.5, pale, 200);
  ring(x, y, 7, -90, 51, 58, 28, 0.4, rich, 210);
  brush.fill("#2e3140", 190);
  brush.circle(x, y, 12);
}
function draw() { noLoop(); }
