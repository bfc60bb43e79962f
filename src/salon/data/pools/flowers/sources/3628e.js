// scarlet iris
const pale = "#f46b55", rich = "#e63a2a", deep = "#98191b";
const x = 212, y = 220;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.6);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.45, -w * 0.42);
  brush.vertex(l * 0.88, -w * t * random(0.8, 1.1));
  brush.vertex(l * random(0.86, 1.06), 0);
  brush.vertex(l * 0.88, w * t * random(0.8, 1.1));
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
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#f0d9b5", 90);
  brush.circle(158, 256, 126);
  brush.circle(240, 232, 112);
  brush.fill("#7f9c6a", 130);
  petal(x, y - 20, 96, 208, 12, 0.4);
  petal(x, y + 152, -56, 136, 30, 0.2);
  brush.fill("#94a86b", 130);
  petal(x, y + 148, -114, 140, 34, 0.2);
  ring(x, y, 3, -124, 34, 114, 70, 0.5, pale, 160);
  ring(x, y, 3, 44, 46, 126, 66, 0.5, rich, 160);
  ring(x, y, 3, 44, 46, 78, 32, 0.4, deep, 190);
  ring(x, y, 3, 44, 46, 46, 12, 0.4, "#d9962b", 180);
  brush.fill(rich, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
