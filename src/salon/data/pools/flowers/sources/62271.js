// indigo lily
const pale = "#b9c0ea", rich = "#8490d3", deep = "#5360b5";
const x = 188, y = 166;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.6, -w * 0.5);
  brush.vertex(l, 0);
  brush.vertex(l * 0.6, w * 0.5);
  brush.endShape(true);
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
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.01);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#6f8f55", 130);
  petal(x, y + 30, 98, 224, 10, 0.4);
  petal(x, y + 32, 46, 36, 48, 0.2);
  petal(x, y + 28, 154, 56, 36, 0.2);
  ring(x, y, 6, -90, 60, 54, 24, 0.28, pale, 30);
  ring(x, y, 6, -90, 60, 46, 14, 0.22, rich, 40);
  ring(x, y, 6, -90, 60, 22, 6, 0.9, "#d9962b", 200);
}
function draw() { noLoop(); }
