// scarlet iris
const pale = "#f46b55", rich = "#c7261f", deep = "#98191b";
const x = 196, y = 214;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.6);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.45, -w * 0.42);
  brush.vertex(l * 0.88, -w * t * random(0.8, 1.1));
  brush.vertex(l * random(0.86, 1.06), 0);
  brush.vertex(l * 0.88, w * t * random(0.8, 1.1));
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
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#94a86b", 110);
  petal(x, y - 20, 88, 196, 10, 0.4);
  petal(x, y + 154, -56, 132, 32, 0.2);
  petal(x, y + 146, -122, 142, 30, 0.2);
  petal(x, y + 122, -134, 132, 8, 0.4);
  ring(x - 110, y + 12, 2, -118, 28, 56, 34, 0.4, rich, 150);
  ring(x, y, 3, -124, 34, 102, 64, 0.5, pale, 160);
  ring(x, y, 3, 44, 46, 114, 60, 0.5, rich, 160);
  ring(x, y, 3, 44, 46, 70, 30, 0.4, deep, 190);
  ring(x, y, 3, 44, 46, 42, 12, 0.4, "#e9ae36", 180);
  brush.fill(pale, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
