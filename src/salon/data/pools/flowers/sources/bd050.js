// orange poppy
const pale = "#fbae5c", rich = "#fbae5c", deep = "#f48c2a";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.3);
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
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
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
  petal(x, y, 82, 204, 12, 0.4);
  petal(x, y + 70, 42, 82, 44, 0.2);
  ring(x, y, 4, -60, 90, 80, 96, 0.55, pale, 70);
  ring(x, y, 4, -15, 90, 66, 68, 0.5, rich, 70);
  brush.fill("#4a3428", 190);
  brush.circle(x, y, 14);
}
function draw() { noLoop(); }
