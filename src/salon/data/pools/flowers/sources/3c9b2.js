// crimson poppy
const pale = "#c92a42", rich = "#a81530", deep = "#a81530";
const x = 108, y = 118;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.3);
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
    petal(x, y, a + i * s + random(-9, 9), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#7d9a5f", 200);
  petal(x, y, 94, 216, 8, 0.4);
  petal(x, y + 44, 42, 84, 44, 0.2);
  ring(x, y, 4, -60, 90, 72, 86, 0.55, pale, 30);
  ring(x, y, 4, -15, 90, 60, 60, 0.5, rich, 40);
  brush.fill("#4a3428", 190);
  brush.circle(x, y, 12);
}
function draw() { noLoop(); }
