// orange iris
const pale = "#fdd09a", rich = "#f48c2a", deep = "#bd5712";
const x = 200, y = 200;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#c3dbe8", 110);
  brush.circle(256, 258, 98);
  brush.fill("#7f9c6a", 110);
  petal(x, y - 20, 86, 190, 10, 0.4);
  petal(x, y + 154, -60, 136, 34, 0.2);
  brush.fill("#4d7358", 110);
  petal(x, y + 144, -122, 158, 38, 0.2);
  ring(x, y, 3, -124, 34, 120, 76, 0.5, pale, 70);
  ring(x, y, 3, 44, 46, 134, 70, 0.5, rich, 70);
  ring(x, y, 3, 44, 46, 84, 34, 0.4, deep, 90);
  ring(x, y, 3, 44, 46, 48, 12, 0.4, "#e9ae36", 180);
  brush.fill(rich, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
