// scarlet daisy
const pale = "#fba899", rich = "#e63a2a", deep = "#98191b";
const x = 194, y = 176;
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
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#cfdfb8", 110);
  brush.circle(216, 242, 92);
  brush.fill("#5f8259", 130);
  petal(x, y + 64, 82, 206, 10, 0.4);
  petal(x, y + 82, 34, 114, 40, 0.2);
  petal(x, y + 80, 142, 86, 42, 0.2);
  petal(x, y + 120, -48, 154, 8, 0.4);
  ring(x + 102, y + 10, 2, -82, 18, 46, 26, 0.4, rich, 160);
  ring(x, y, 12, -90, 30, 92, 28, 0.5, pale, 160);
  ring(x, y, 6, -76, 60, 74, 18, 0.4, rich, 160);
  brush.fill("#d9962b", 200);
  brush.circle(x, y, 22);
  brush.fill("#2e3140", 180);
  for (let i = 0; i < 4; i++) brush.circle(x + random(-30, 30), y + random(-30, 30), 3);
}
function draw() { noLoop(); }
