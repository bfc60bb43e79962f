// lemon daisy
const pale = "#fdf4ae", rich = "#fae97a", deep = "#f5d94a";
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
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#5d8150", 200);
  petal(x, y, 90, 200, 12, 0.4);
  petal(x, y + 52, 36, 64, 38, 0.2);
  ring(x, y, 12, -90, 30, 52, 16, 0.5, rich, 70);
  brush.fill("#d9962b", 255);
  brush.circle(x, y, 12);
}
function draw() { noLoop(); }
