// lemon hibiscus
const pale = "#fae97a", rich = "#e8c22c", deep = "#cba31c";
const x = 206, y = 184;
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
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#4d7358", 130);
  petal(x, y, 88, 230, 12, 0.4);
  petal(x, y + 132, 42, 116, 54, 0.2);
  brush.fill("#94a86b", 130);
  petal(x, y + 112, 144, 146, 40, 0.2);
  petal(x, y + 120, 12, 114, 42, 0.2);
  ring(x, y, 5, -90, 72, 124, 114, 0.5, pale, 140);
  ring(x, y, 5, -90, 72, 100, 70, 0.4, rich, 150);
  brush.fill("#f2c14e", 180);
  petal(x, y, -50, 100, 10, 0.5);
  brush.fill(pale, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
