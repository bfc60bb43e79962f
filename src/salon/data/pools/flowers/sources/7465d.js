// rose pink hibiscus
const pale = "#f096b2", rich = "#e26a92", deep = "#a4325d";
const x = 196, y = 168;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#94a86b", 130);
  petal(x, y, 96, 222, 10, 0.4);
  petal(x, y + 60, 32, 74, 50, 0.2);
  brush.fill("#4d7358", 130);
  petal(x, y + 68, 144, 76, 40, 0.2);
  petal(x, y + 48, 8, 68, 42, 0.2);
  ring(x, y, 5, -90, 72, 72, 66, 0.5, pale, 120);
  ring(x, y, 5, -90, 72, 58, 40, 0.4, rich, 130);
  brush.fill("#d9962b", 180);
  petal(x, y, -130, 58, 10, 0.5);
}
function draw() { noLoop(); }
