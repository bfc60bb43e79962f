// crimson rose
const pale = "#e2616f", rich = "#c92a42", deep = "#7d0f28";
const x = 190, y = 178;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.45, -w * 0.42);
  brush.vertex(l * 0.88, -w * t * random(0.8, 1.1));
  brush.vertex(l * random(0.86, 1.06), 0);
  brush.vertex(l * 0.88, w * t * random(0.8, 1.1));
  brush.vertex(l * 0.45, w * 0.42);
  brush.endShape(true);
  pop();
}
function ring(x, y, n, a, s, l, w, t, c, o) {
  for (let i = 0; i < n; i++) {
    brush.fill(c, o * random(0.7, 1.2));
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#c3dbe8", 90);
  brush.circle(250, 226, 104);
  brush.fill("#94a86b", 150);
  petal(x, y, 90, 204, 8, 0.4);
  petal(x, y + 124, 32, 138, 48, 0.2);
  petal(x, y + 74, 152, 124, 48, 0.2);
  petal(x, y + 66, 16, 138, 52, 0.2);
  petal(x, y + 122, -46, 146, 8, 0.4);
  ring(x + 96, y + 12, 2, -90, 28, 56, 34, 0.4, rich, 150);
  ring(x, y, 6, -90, 60, 114, 102, 0.55, pale, 120);
  ring(x, y, 5, -60, 72, 80, 76, 0.55, rich, 130);
  ring(x, y, 4, -30, 90, 50, 50, 0.5, deep, 150);
  ring(x, y, 3, -90, 120, 26, 30, 0.5, deep, 150);
}
function draw() { noLoop(); }
