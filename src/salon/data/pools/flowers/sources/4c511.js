// peach hibiscus
const pale = "#fbc7a4", rich = "#fbc7a4", deep = "#f5a87e";
const x = 188, y = 170;
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
    brush.fill(c, o * random(0.7, 1.2));
    petal(x, y, a + i * s + 0, l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#4d7358", 130);
  petal(x, y + 66, 96, 208, 12, 0.4);
  petal(x, y + 94, 26, 118, 42, 0.2);
  brush.fill("#94a86b", 130);
  petal(x, y + 88, 146, 106, 56, 0.2);
  ring(x, y, 5, -90, 72, 102, 94, 0.5, pale, 160);
  ring(x, y, 5, -90, 72, 82, 58, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 42, 28, 0.3, deep, 190);
  brush.fill("#d9962b", 180);
  petal(x, y, -40, 82, 10, 0.5);
}
function draw() { noLoop(); }
