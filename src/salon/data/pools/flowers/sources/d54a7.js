// scarlet hibiscus
const pale = "#96866f", rich = "#96866f", deep = "#75664f";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.6);
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
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#5d8150", 200);
  petal(x, y, 96, 224, 10, 0.4);
  petal(x, y + 116, 26, 116, 48, 0.2);
  ring(x, y, 5, -90, 72, 122, 112, 0.5, rich, 200);
  brush.fill("#d9962b", 190);
  brush.circle(x, y, 20);
}
function draw() { noLoop(); }
