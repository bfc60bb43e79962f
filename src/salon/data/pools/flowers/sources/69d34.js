// crimson iris
const pale = "#f3a3a8", rich = "#e2616f", deep = "#c92a42";
const x = 200, y = 200;
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
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#94a86b", 200);
  petal(x, y - 20, 82, 228, 12, 0.4);
  petal(x, y + 148, -56, 116, 38, 0.2);
  ring(x, y, 3, -124, 34, 88, 54, 0.5, pale, 70);
  ring(x, y, 3, 44, 46, 98, 50, 0.5, rich, 70);
  brush.fill("#d9962b", 190);
  brush.circle(x, y, 16);
}
function draw() { noLoop(); }
