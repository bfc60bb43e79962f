// peach iris
const pale = "#f5a87e", rich = "#ec8a5e", deep = "#ec8a5e";
const x = 298, y = 176;
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
    petal(x, y, a + i * s + 0, l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.01);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#dccbe4", 110);
  brush.circle(246, 174, 132);
  brush.circle(164, 152, 132);
  brush.fill("#7f9c6a", 130);
  petal(x, y - 20, 86, 192, 10, 0.4);
  petal(x, y + 156, -58, 110, 36, 0.2);
  petal(x, y + 144, -122, 146, 28, 0.2);
  ring(x, y, 3, -124, 34, 92, 58, 0.5, pale, 70);
  ring(x, y, 3, 44, 46, 100, 52, 0.5, rich, 70);
}
function draw() { noLoop(); }
