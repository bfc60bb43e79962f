// cobalt hibiscus
const pale = "#7aa5e0", rich = "#437bcb", deep = "#2a5cab";
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
    petal(x, y, a + i * s + random(-30, 30), l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#5d8150", 200);
  petal(x, y, 84, 214, 8, 0.4);
  petal(x, y + 22, 40, 48, 54, 0.2);
  ring(x, y, 3, -90, 120, 44, 34, 0.5, pale, 200);
  ring(x, y, 8, -90, 45, 40, 34, 0.4, rich, 210);
  brush.fill("#d9962b", 190);
  brush.circle(x, y, 6);
}
function draw() { noLoop(); }
