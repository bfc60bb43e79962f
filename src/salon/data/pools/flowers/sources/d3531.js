// rose pink poppy
const pale = "#f096b2", rich = "#f096b2", deep = "#e26a92";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0);
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
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#dccbe4", 110);
  brush.circle(204, 214, 102);
  brush.circle(144, 132, 122);
  brush.fill("#6f8f55", 110);
  petal(x, y + 50, 86, 212, 8, 0.4);
  petal(x, y + 60, 30, 94, 38, 0.2);
  petal(x, y + 62, 144, 68, 42, 0.2);
  petal(x, y + 52, 18, 72, 48, 0.2);
  ring(x, y, 4, -60, 90, 84, 100, 0.55, pale, 200);
  ring(x, y, 4, -15, 90, 68, 74, 0.5, rich, 210);
}
function draw() { noLoop(); }
