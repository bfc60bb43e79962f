// cobalt cosmos
const pale = "#7aa5e0", rich = "#2a5cab", deep = "#1c4283";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
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
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#1f7a2e", 180);
  petal(x, y, 96, 190, 8, 0.4);
  petal(x, y + 52, 30, 60, 46, 0.2);
  ring(x, y, 8, -90, 45, 52, 30, 0.6, rich, 70);
  brush.fill("#d9962b", 200);
  brush.circle(x, y, 8);
  brush.fill("#2e3140", 180);
  for (let i = 0; i < 4; i++) brush.circle(x + random(-12, 12), y + random(-12, 12), 3);
}
function draw() { noLoop(); }
