// magenta hibiscus
const pale = "#d2419b", rich = "#b0257d", deep = "#b0257d";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.1);
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
  brush.fillTexture(0.2, 0.2);
  brush.fill("#6f8f55", 180);
  petal(x, y, 98, 190, 12, 0.4);
  petal(x, y + 62, 38, 80, 54, 0.2);
  ring(x, y, 5, -90, 72, 74, 68, 0.5, pale, 30);
  ring(x, y, 5, -90, 72, 60, 42, 0.4, rich, 40);
  brush.fill("#d9962b", 190);
  brush.circle(x, y, 12);
}
function draw() { noLoop(); }
