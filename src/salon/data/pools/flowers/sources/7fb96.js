// coral peony
const pale = "#eea3b2", rich = "#e0839a", deep = "#e0839a";
const x = 210, y = 176;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.4);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.45, -w * 0.42);
  brush.vertex(l * 0.88, -w * t * random(0.8, 1.1));
  brush.vertex(l, 0);
  brush.vertex(l * 0.88, w * t * random(0.8, 1.1));
  brush.vertex(l * 0.45, w * 0.42);
  brush.endShape(true);
  pop();
}
function ring(x, y, n, a, s, l, w, t, c, o) {
  for (let i = 0; i < n; i++) {
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-9, 9), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#94a86b", 200);
  petal(x, y, 82, 202, 8, 0.4);
  petal(x, y + 44, 40, 80, 40, 0.2);
  ring(x, y, 7, -90, 51, 72, 62, 0.55, pale, 70);
  ring(x, y, 6, -60, 60, 54, 44, 0.55, rich, 70);
  ring(x, y, 5, -30, 72, 34, 30, 0.5, deep, 90);
  brush.fill("#f2c14e", 190);
  brush.circle(x, y, 8);
}
function draw() { noLoop(); }
