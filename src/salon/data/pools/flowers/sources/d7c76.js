// violet anemone
const pale = "#9166c8", rich = "#7243ae", deep = "#7243ae";
const x = 200, y = 182;
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
    brush.fill(c, o * random(0.7, 1.2));
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#7d9a5f", 180);
  petal(x, y, 96, 206, 12, 0.4);
  petal(x, y + 60, 50, 114, 42, 0.2);
  ring(x, y, 7, -90, 51, 108, 72, 0.5, pale, 30);
  ring(x, y, 7, -90, 51, 86, 44, 0.4, rich, 40);
  brush.fill("#3b2f38", 190);
  brush.circle(x, y, 20);
}
function draw() { noLoop(); }
