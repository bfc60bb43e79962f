// peach hibiscus
const pale = "#fddcc4", rich = "#fbc7a4", deep = "#f5a87e";
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
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#d5ecc4");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#6b6b3a", 180);
  petal(x, y, 88, 226, 10, 0.4);
  petal(x, y + 62, 42, 94, 54, 0.2);
  ring(x, y, 5, -90, 72, 82, 76, 0.5, pale, 200);
  ring(x, y, 5, -90, 72, 66, 46, 0.4, rich, 210);
  ring(x, y, 5, -90, 72, 34, 22, 0.3, deep, 220);
  brush.fill("#d9962b", 180);
  petal(x, y, -40, 68, 10, 0.5);
}
function draw() { noLoop(); }
