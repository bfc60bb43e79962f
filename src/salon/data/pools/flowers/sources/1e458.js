// lemon iris
const pale = "#fae97a", rich = "#e8c22c", deep = "#cba31c";
const x = 214, y = 218;
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
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#dccbe4", 90);
  brush.circle(226, 230, 122);
  brush.circle(174, 186, 96);
  brush.fill("#7f9c6a", 130);
  petal(x, y - 20, 96, 226, 8, 0.4);
  petal(x, y + 146, -62, 124, 32, 0.2);
  petal(x, y + 144, -122, 148, 36, 0.2);
  petal(x, y + 124, -132, 154, 8, 0.4);
  ring(x - 94, y + 14, 2, -114, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 3, -124, 34, 124, 78, 0.5, pale, 160);
  ring(x, y, 3, 44, 46, 138, 72, 0.5, rich, 160);
  ring(x, y, 3, 44, 46, 86, 36, 0.4, deep, 190);
  ring(x, y, 3, 44, 46, 50, 12, 0.4, "#f2c14e", 180);
}
function draw() { noLoop(); }
