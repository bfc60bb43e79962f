// indigo rose
const pale = "#5360b5", rich = "#384291", deep = "#384291";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.4);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.45, -w * 0.42);
  brush.vertex(l * 0.88, -w * t * random(0.8, 1.1));
  brush.vertex(l, 0);
  brush.vertex(l * 0.88, w * t * random(0.8, 1.1));
  brush.vertex(l * 0.45, w * 0.42);
  brush.endShape(true);
  pop();
}
function ring(x, y, n, a, s, l, w, t, c, o) {
  for (let i = 0; i < n; i++) {
    brush.fill(c, o);
    petal(x, y, a + i * s + 0, l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.6);
  brush.fillTexture(0, 0);
  brush.fill("#1f7a2e", 180);
  petal(x, y, 90, 196, 10, 0.4);
  petal(x, y + 62, 30, 88, 40, 0.2);
  ring(x, y, 6, -90, 60, 82, 74, 0.55, rich, 200);
}
function draw() { noLoop(); }
