// sky blue hibiscus
const pale = "#a3d3f0", rich = "#a3d3f0", deep = "#74b8e4";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
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
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#5d8150", 200);
  petal(x, y, 94, 210, 8, 0.4);
  petal(x, y + 82, 28, 84, 40, 0.2);
  ring(x, y, 8, -90, 45, 86, 80, 0.5, pale, 70);
  ring(x, y, 8, -90, 45, 68, 48, 0.4, rich, 70);
  brush.fill("#d9962b", 180);
  petal(x, y, -40, 68, 10, 0.5);
}
function draw() { noLoop(); }
