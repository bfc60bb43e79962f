// magenta hibiscus
const pale = "#e678bb", rich = "#d2419b", deep = "#861a5f";
const x = 206, y = 170;
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
    brush.fill(c, o * random(0.7, 1.2));
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#c3dbe8", 90);
  brush.circle(218, 260, 114);
  brush.circle(238, 186, 138);
  brush.fill("#4d7358", 110);
  petal(x, y + 76, 96, 212, 12, 0.4);
  petal(x, y + 124, 48, 132, 54, 0.2);
  petal(x, y + 112, 144, 122, 40, 0.2);
  petal(x, y + 120, 18, 136, 40, 0.2);
  petal(x, y + 102, -132, 164, 8, 0.4);
  ring(x - 96, y + -8, 2, -114, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 114, 104, 0.5, pale, 140);
  ring(x, y, 5, -90, 72, 92, 64, 0.4, rich, 150);
  ring(x, y, 5, -90, 72, 48, 32, 0.3, deep, 180);
  brush.fill("#d9962b", 180);
  petal(x, y, -50, 92, 10, 0.5);
}
function draw() { noLoop(); }
