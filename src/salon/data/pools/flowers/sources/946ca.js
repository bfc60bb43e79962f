// coral hibiscus
const pale = "#fcc0b0", rich = "#fa9a84", deep = "#f47560";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.3);
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
    petal(x, y, a + i * s + random(-9, 9), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#7d9a5f", 180);
  petal(x, y, 94, 228, 8, 0.4);
  petal(x, y + 64, 40, 94, 40, 0.2);
  ring(x, y, 5, -90, 72, 88, 80, 0.5, pale, 70);
  ring(x, y, 5, -90, 72, 70, 50, 0.4, rich, 70);
  brush.fill("#d9962b", 190);
  brush.circle(x, y, 14);
}
function draw() { noLoop(); }
