// orange iris
const pale = "#fbae5c", rich = "#e0701a", deep = "#bd5712";
const x = 206, y = 208;
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
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#cfdfb8", 110);
  brush.circle(188, 202, 146);
  brush.fill("#6f8f55", 150);
  petal(x, y - 20, 94, 226, 12, 0.4);
  petal(x, y + 148, -56, 154, 36, 0.2);
  brush.fill("#5d8150", 150);
  petal(x, y + 138, -118, 124, 32, 0.2);
  ring(x, y, 3, -124, 34, 106, 66, 0.5, pale, 255);
  ring(x, y, 3, 44, 46, 118, 62, 0.5, rich, 255);
  ring(x, y, 3, 44, 46, 74, 30, 0.4, deep, 255);
  ring(x, y, 3, 44, 46, 42, 12, 0.4, "#d9962b", 180);
  brush.fill(pale, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
