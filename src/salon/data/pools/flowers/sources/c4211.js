// lemon lily
const pale = "#fae97a", rich = "#f5d94a", deep = "#cba31c";
const x = 186, y = 182;
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
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#f0d9b5", 110);
  brush.circle(262, 184, 124);
  brush.fill("#4d7358", 110);
  petal(x, y, 98, 204, 12, 0.4);
  petal(x, y + 98, 26, 118, 54, 0.2);
  brush.fill("#4d7358", 110);
  petal(x, y + 88, 146, 104, 48, 0.2);
  petal(x, y + 122, -46, 140, 8, 0.4);
  ring(x + 90, y + 12, 2, -90, 28, 52, 32, 0.4, rich, 150);
  ring(x, y, 6, -90, 60, 106, 48, 0.28, rich, 120);
  ring(x, y, 5, -76, 72, 50, 6, 0.9, "#d9962b", 200);
}
function draw() { noLoop(); }
