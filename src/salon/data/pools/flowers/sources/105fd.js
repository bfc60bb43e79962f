// orange hibiscus
const pale = "#fbae5c", rich = "#fbae5c", deep = "#f48c2a";
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
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#f0d9b5", 90);
  brush.circle(212, 200, 118);
  brush.circle(190, 172, 94);
  brush.fill("#94a86b", 180);
  petal(x, y, 84, 194, 10, 0.4);
  petal(x, y + 32, 46, 36, 52, 0.2);
  ring(x, y, 5, -90, 72, 36, 34, 0.5, pale, 30);
  ring(x, y, 5, -90, 72, 30, 22, 0.4, rich, 40);
  ring(x, y, 5, -90, 72, 16, 10, 0.3, deep, 50);
  brush.fill("#d9962b", 190);
  brush.circle(x, y, 6);
}
function draw() { noLoop(); }
