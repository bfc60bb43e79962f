// blush pink sunflower
const pale = "#fbc7a4", rich = "#fbc7a4", deep = "#f5a87e";
const x = 204, y = 166;
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
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.6, 0.3);
  ring(x, y, 17, -90, 21, 36, 10, 0.26, pale, 140);
  ring(x, y, 5, -78, 72, 26, 6, 0.22, rich, 150);
  ring(x, y, 10, -90, 36, 16, 4, 0.2, deep, 180);
  brush.fill("#3b2f38", 255);
  brush.circle(x, y, 16);
  brush.fill(rich, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
