// sky blue anemone
const pale = "#cfe8f7", rich = "#a3d3f0", deep = "#74b8e4";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.circle(l * 0.6, 0, w * 0.5);
  pop();
}
function ring(x, y, n, a, s, l, w, t, c, o) {
  for (let i = 0; i < n; i++) {
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#dcdcdc");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#dccbe4", 110);
  brush.circle(180, 220, 160);
  brush.circle(164, 248, 92);
  brush.fill("#5d8150", 200);
  petal(x, y, 94, 220, 8, 0.4);
  petal(x, y + 64, 42, 98, 50, 0.2);
  ring(x, y, 7, -90, 51, 88, 58, 0.5, pale, 200);
  ring(x, y, 7, -90, 51, 70, 36, 0.4, rich, 210);
}
function draw() { noLoop(); }
