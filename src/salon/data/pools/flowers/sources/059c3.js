// indigo hibiscus
const pale = "#5360b5", rich = "#384291", deep = "#384291";
const x = 184, y = 168;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
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
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.4);
  ring(x, y, 8, -90, 72, 72, 66, 0.5, pale, 70);
  ring(x, y, 8, -90, 45, 56, 40, 0.4, rich, 70);
  ring(x, y, 3, -90, 72, 30, 20, 0.3, deep, 90);
  brush.fill("#d9962b", 180);
  petal(x, y, -130, 58, 10, 0.5);
}
function draw() { noLoop(); }
