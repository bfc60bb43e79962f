// crimson hibiscus
const pale = "#f3a3a8", rich = "#e2616f", deep = "#c92a42";
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
    brush.fill(c, o);
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
  brush.fill("#dccbe4", 110);
  brush.circle(158, 228, 140);
  brush.fill("#1f7a2e", 200);
  petal(x, y, 88, 218, 10, 0.4);
  petal(x, y + 44, 46, 64, 44, 0.2);
  petal(x, y + 158, -48, 158, 8, 0.4);
  ring(x + 102, y + 48, 2, -82, 18, 36, 20, 0.4, rich, 160);
  ring(x, y, 8, -90, 45, 72, 68, 0.5, pale, 255);
  ring(x, y, 3, -90, 120, 58, 40, 0.4, rich, 255);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 12);
  brush.fill(pale, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
