// lemon hibiscus
const pale = "#fae97a", rich = "#f5d94a", deep = "#cba31c";
const x = 200, y = 180;
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
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.5, 0.5);
  ring(x, y, 5, -90, 72, 74, 68, 0.5, pale, 160);
  ring(x, y, 5, -90, 72, 60, 42, 0.4, rich, 160);
  brush.fill("#d9962b", 180);
  petal(x, y, -140, 60, 10, 0.5);
  brush.fill(pale, 200);
  for (let i = 0; i < 8; i++) brush.circle(random(40, 360), random(40, 360), random(10, 20));
}
function draw() { noLoop(); }
