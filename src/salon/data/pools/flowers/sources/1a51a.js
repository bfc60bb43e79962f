// cobalt cosmos
const pale = "#437bcb", rich = "#2a5cab", deep = "#2a5cab";
const x = 296, y = 136;
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
    petal(x, y, a + i * s + random(-30, 30), l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.01);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#1f7a2e", 180);
  petal(x, y, 90, 222, 10, 0.4);
  petal(x, y + 84, 32, 180, 50, 0.2);
  ring(x, y, 8, -90, 45, 142, 66, 0.6, pale, 30);
  ring(x, y, 8, -90, 45, 92, 32, 0.45, rich, 40);
  ring(x, y, 8, -90, 45, 50, 12, 0.3, deep, 50);
  brush.fill("#d9962b", 255);
  brush.circle(x, y, 18);
}
function draw() { noLoop(); }
