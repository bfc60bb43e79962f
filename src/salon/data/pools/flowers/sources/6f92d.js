// orange iris
const pale = "#fdd09a", rich = "#f48c2a", deep = "#e0701a";
const x = 210, y = 218;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.4);
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
  brush.fillBleed(0.14);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#c3dbe8", 110);
  brush.circle(134, 266, 108);
  brush.fill("#94a86b", 255);
  petal(x, y - 20, 92, 212, 8, 0.4);
  petal(x, y + 126, -48, 158, 8, 0.4);
  ring(x + 96, y + 16, 2, -82, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 3, -124, 34, 114, 70, 0.5, pale, 160);
  ring(x, y, 3, 44, 46, 126, 66, 0.5, rich, 160);
  ring(x, y, 3, 44, 46, 78, 32, 0.4, deep, 190);
  ring(x, y, 3, 44, 46, 46, 12, 0.4, "#f2c14e", 180);
}
function draw() { noLoop(); }
