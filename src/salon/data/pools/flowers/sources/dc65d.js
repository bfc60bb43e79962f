// scarlet iris
const pale = "#fba899", rich = "#f46b55", deep = "#e63a2a";
const x = 330, y = 246;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.1);
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
    petal(x, y, a + i * s + 0, l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#e8c9d6");
  brush.noStroke();
  brush.fillBleed(0.01);
  brush.fillTexture(0, 0);
  ring(x, y, 3, -124, 34, 168, 104, 0.5, pale, 30);
  ring(x, y, 3, 44, 46, 186, 96, 0.5, rich, 40);
  brush.fill(rich, 200);
  for (let i = 0; i < 8; i++) brush.circle(random(40, 360), random(40, 360), random(10, 20));
}
function draw() { noLoop(); }
