// crimson lily
const pale = "#f3a3a8", rich = "#c92a42", deep = "#7d0f28";
const x = 192, y = 166;
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
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#dccbe4", 90);
  brush.circle(152, 136, 102);
  brush.fill("#7f9c6a", 110);
  petal(x, y + 56, 90, 194, 10, 0.4);
  petal(x, y + 68, 24, 92, 46, 0.2);
  brush.fill("#7f9c6a", 110);
  petal(x, y + 82, 152, 88, 44, 0.2);
  petal(x, y + 54, 10, 104, 46, 0.2);
  ring(x, y, 6, -90, 60, 86, 40, 0.28, pale, 140);
  ring(x, y, 6, -90, 60, 70, 22, 0.22, rich, 150);
  ring(x, y, 6, -90, 60, 34, 8, 0.2, deep, 180);
  ring(x, y, 5, -88, 72, 42, 6, 0.9, "#d9962b", 200);
}
function draw() { noLoop(); }
