// cobalt hibiscus
const pale = "#7aa5e0", rich = "#2a5cab", deep = "#1c4283";
const x = 186, y = 180;
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
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#4d7358", 130);
  petal(x, y + 62, 86, 218, 10, 0.4);
  petal(x, y + 120, 24, 106, 48, 0.2);
  brush.fill("#4d7358", 130);
  petal(x, y + 66, 142, 128, 56, 0.2);
  petal(x, y + 106, -48, 160, 8, 0.4);
  ring(x + 96, y + -4, 2, -82, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 114, 104, 0.5, pale, 120);
  ring(x, y, 5, -90, 72, 92, 64, 0.4, rich, 130);
  ring(x, y, 5, -90, 72, 48, 32, 0.3, deep, 150);
  brush.fill("#f2c14e", 180);
  petal(x, y, -50, 92, 10, 0.5);
  brush.fill(pale, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
