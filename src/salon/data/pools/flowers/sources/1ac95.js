// lilac hibiscus
const pale = "#fbae5c", rich = "#fbae5c", deep = "#f48c2a";
const x = 182, y = 166;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#dccbe4", 110);
  brush.circle(182, 148, 104);
  brush.circle(216, 258, 106);
  brush.fill("#7f9c6a", 110);
  petal(x, y + 62, 84, 224, 8, 0.4);
  petal(x, y + 86, 46, 136, 52, 0.2);
  brush.fill("#94a86b", 110);
  petal(x, y + 98, 130, 98, 38, 0.2);
  petal(x, y + 104, 10, 112, 48, 0.2);
  petal(x, y + 108, -132, 162, 8, 0.4);
  ring(x - 102, y + -2, 2, -114, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 114, 104, 0.5, pale, 140);
  ring(x, y, 5, -90, 72, 92, 64, 0.4, rich, 150);
  ring(x, y, 5, -90, 72, 48, 32, 0.3, deep, 180);
  brush.fill("#e9ae36", 180);
  petal(x, y, -50, 92, 10, 0.5);
}
function draw() { noLoop(); }
