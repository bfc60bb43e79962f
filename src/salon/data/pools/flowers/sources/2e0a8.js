// lilac hibiscus
const pale = "#eadcf2", rich = "#bd9cd6", deep = "#a37ec4";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.6);
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#7f9c6a", 110);
  petal(x, y + 72, 82, 214, 12, 0.4);
  petal(x, y + 66, 50, 140, 44, 0.2);
  brush.fill("#5f8259", 110);
  petal(x, y + 90, 148, 114, 54, 0.2);
  petal(x, y + 74, 12, 100, 50, 0.2);
  petal(x, y + 146, -48, 150, 8, 0.4);
  ring(x + 94, y + 36, 2, -82, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 114, 104, 0.5, pale, 120);
  ring(x, y, 5, -90, 72, 92, 64, 0.4, rich, 130);
  ring(x, y, 5, -90, 72, 48, 32, 0.3, deep, 150);
  brush.fill("#f2c14e", 180);
  petal(x, y, -140, 92, 10, 0.5);
  brush.fill(pale, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
