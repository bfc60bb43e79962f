// lemon peony
const pale = "#fdf4ae", rich = "#f5d94a", deep = "#cba31c";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.circle(l * 0.6, 0, w * 0.5);
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
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.02);
  brush.fillTexture(0.6, 0.3);
  ring(x, y, 5, -90, 72, 106, 92, 0.55, rich, 160);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 12);
}
function draw() { noLoop(); }
