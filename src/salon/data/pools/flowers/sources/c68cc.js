// sky blue hibiscus
const pale = "#a3d3f0", rich = "#4c9ad1", deep = "#327bb3";
const x = 210, y = 178;
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
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#94a86b", 240);
  petal(x, y, 94, 224, 10, 0.4);
  ring(x, y, 5, -90, 72, 112, 104, 0.5, pale, 160);
  ring(x, y, 5, -90, 72, 90, 62, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 48, 32, 0.3, deep, 190);
  brush.fill("#e9ae36", 180);
  petal(x, y, -140, 90, 10, 0.5);
}
function draw() { noLoop(); }
