// cobalt hibiscus
const pale = "#437bcb", rich = "#2a5cab", deep = "#2a5cab";
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#e8c9d6");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#c3dbe8", 110);
  brush.circle(248, 148, 134);
  brush.circle(148, 168, 144);
  brush.fill("#6f8f55", 150);
  petal(x, y + 152, 92, 200, 12, 0.4);
  petal(x, y + 134, 30, 158, 50, 0.2);
  petal(x, y + 42, 152, 128, 52, 0.2);
  ring(x, y, 3, -90, 120, 178, 170, 0.55, rich, 160);
  brush.fill("#e9ae36", 180);
  petal(x, y, -130, 150, 10, 0.5);
}
function draw() { noLoop(); }
