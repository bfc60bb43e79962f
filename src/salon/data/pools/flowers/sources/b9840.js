// orange hibiscus
const pale = "#fbae5c", rich = "#fbae5c", deep = "#f48c2a";
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
    brush.fill(c, o * random(0.7, 1.2));
    petal(x, y, a + i * s + random(-9, 9), l * random(0.94, 1.06), w, t);
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
  brush.fill("#5f8259", 200);
  petal(x, y, 92, 206, 12, 0.4);
  petal(x, y + 72, 36, 72, 50, 0.2);
  ring(x, y, 8, -90, 45, 72, 62, 0.5, pale, 160);
  ring(x, y, 8, -90, 45, 62, 44, 0.4, rich, 160);
  brush.fill(rich, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
