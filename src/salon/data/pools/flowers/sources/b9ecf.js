// lilac sunflower
const pale = "#eadcf2", rich = "#bd9cd6", deep = "#8562aa";
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
    petal(x, y, a + i * s + random(-9, 9), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#7d9a5f", 200);
  petal(x, y, 84, 218, 10, 0.4);
  petal(x, y + 56, 50, 88, 38, 0.2);
  ring(x, y, 14, -90, 26, 88, 24, 0.26, pale, 200);
  ring(x, y, 7, -78, 51, 72, 18, 0.22, rich, 210);
  brush.fill("#3b2f38", 190);
  brush.circle(x, y, 30);
}
function draw() { noLoop(); }
