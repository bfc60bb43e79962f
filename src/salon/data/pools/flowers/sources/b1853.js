// scarlet hibiscus
const pale = "#fddcc4", rich = "#fbc7a4", deep = "#f5a87e";
const x = 316, y = 302;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.3);
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
    petal(x, y, a + i * s + 0, l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f7e2a0");
  brush.noStroke();
  brush.fillBleed(0.01);
  brush.fillTexture(0, 0);
  ring(x, y, 3, -90, 120, 34, 32, 0.5, rich, 255);
  brush.fill("#e9ae36", 255);
  brush.circle(x, y, 6);
}
function draw() { noLoop(); }
