// scarlet tulip
const pale = "#fba899", rich = "#c7261f", deep = "#98191b";
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
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0, 0);
  brush.fill("#5d8150", 200);
  petal(x, y - 20, 84, 214, 10, 0.4);
  petal(x, y + 156, -56, 156, 32, 0.2);
  ring(x, y, 3, -118, 28, 86, 52, 0.34, pale, 70);
  ring(x, y, 2, -104, 28, 70, 48, 0.3, rich, 70);
}
function draw() { noLoop(); }
