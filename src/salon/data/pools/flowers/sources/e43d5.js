// scarlet iris
const pale = "#fba899", rich = "#e63a2a", deep = "#c7261f";
const x = 184, y = 218;
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
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#c3dbe8", 90);
  brush.circle(178, 214, 144);
  brush.fill("#7f9c6a", 130);
  petal(x, y - 20, 94, 208, 10, 0.4);
  petal(x, y + 150, -68, 154, 36, 0.2);
  petal(x, y + 154, -114, 144, 30, 0.2);
  ring(x, y, 3, -124, 34, 100, 62, 0.5, pale, 160);
  ring(x, y, 3, 44, 46, 110, 58, 0.5, rich, 160);
  ring(x, y, 3, 44, 46, 68, 28, 0.4, deep, 190);
  ring(x, y, 3, 44, 46, 40, 12, 0.4, "#f2c14e", 180);
}
function draw() { noLoop(); }
