// scarlet hibiscus
const pale = "#9166c8", rich = "#7243ae", deep = "#7243ae";
const x = 110, y = 160;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.1);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.6, -w * 0.5);
  brush.vertex(l, 0);
  brush.vertex(l * 0.6, w * 0.5);
  brush.endShape(true);
  pop();
}
function ring(x, y, n, a, s, l, w, t, c, o) {
  for (let i = 0; i < n; i++) {
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-30, 30), l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f7e2a0");
  brush.noStroke();
  brush.fillBleed(0.6);
  brush.fillTexture(0.9, 0.9);
  brush.fill("#1f7a2e", 255);
  petal(x, y, 92, 204, 12, 0.4);
  ring(x, y, 3, -90, 120, 36, 34, 0.5, rich, 255);
  brush.fill("#e9ae36", 255);
  brush.circle(x, y, 6);
}
function draw() { noLoop(); }
