// magenta hibiscus
const pale = "#b7a68f", rich = "#96866f", deep = "#75664f";
const x = 66, y = 146;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.6, -w * 0.5);
  brush.vertex(l, 0);
  brush.vertex(l * 0.6, w * 0.5);
  brush.endShape(true);
  pop();
}
function ring(x, y, n, a, s, l, w, t, c, o) {
  for (let i = 0; i < n; i++) {
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.6);
  brush.fillTexture(0, 0);
  ring(x, y, 3, -90, 120, 196, 180, 0.5, pale, 30);
  ring(x, y, 8, -90, 72, 156, 110, 0.4, rich, 40);
  ring(x, y, 3, -90, 120, 82, 54, 0.3, deep, 50);
  brush.fill(pale, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
