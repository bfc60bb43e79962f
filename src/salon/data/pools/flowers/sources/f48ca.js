// sky blue hibiscus
const pale = "#e2616f", rich = "#e2616f", deep = "#c92a42";
const x = 200, y = 200;
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
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#6f8f55", 200);
  petal(x, y, 86, 202, 8, 0.4);
  petal(x, y + 66, 38, 72, 50, 0.2);
  ring(x, y, 5, -90, 72, 78, 72, 0.5, pale, 200);
  ring(x, y, 5, -90, 72, 62, 44, 0.4, rich, 210);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 12);
  brush.fill(pale, 200);
  for (let i = 0; i < 6; i++) brush.circle(random(40, 360), random(40, 360), random(10, 20));
}
function draw() { noLoop(); }
