// crimson cosmos
const pale = "#f3a3a8", rich = "#e2616f", deep = "#c92a42";
const x = 64, y = 324;
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
    brush.fill(c, o);
    petal(x, y, a + i * s + 0, l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#7d9a5f", 130);
  petal(x, y + 66, 92, 206, 10, 0.4);
  petal(x, y + 86, 38, 76, 40, 0.2);
  petal(x, y + 78, 136, 110, 50, 0.2);
  ring(x, y, 8, -90, 45, 90, 50, 0.6, pale, 200);
  ring(x, y, 8, -90, 45, 70, 28, 0.45, rich, 210);
  brush.fill("#f2c14e", 200);
  brush.circle(x, y, 14);
  brush.fill("#2e3140", 180);
  for (let i = 0; i < 6; i++) brush.circle(x + random(-20, 20), y + random(-20, 20), 3);
}
function draw() { noLoop(); }
