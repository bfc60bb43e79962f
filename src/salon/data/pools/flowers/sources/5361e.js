// lilac hibiscus
const pale = "#bd9cd6", rich = "#a37ec4", deep = "#a37ec4";
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
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#7d9a5f", 255);
  petal(x, y, 84, 220, 10, 0.4);
  ring(x, y, 3, -90, 120, 38, 36, 0.5, pale, 255);
  ring(x, y, 3, -90, 120, 32, 22, 0.4, rich, 255);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 6);
}
function draw() { noLoop(); }
