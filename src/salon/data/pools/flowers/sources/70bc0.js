// rose pink poppy
const pale = "#f9c3d3", rich = "#f096b2", deep = "#e26a92";
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
    brush.fill(c, o * random(0.7, 1.2));
    petal(x, y, a + i * s + 0, l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#d5ecc4");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.6, 0.3);
  ring(x, y, 4, -60, 90, 34, 40, 0.55, rich, 70);
  brush.fill(pale, 200);
  for (let i = 0; i < 8; i++) brush.circle(random(40, 360), random(40, 360), random(10, 20));
}
function draw() { noLoop(); }
