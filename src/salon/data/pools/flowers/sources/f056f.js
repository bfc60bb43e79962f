// cobalt cosmos
const pale = "#7aa5e0", rich = "#2a5cab", deep = "#1c4283";
const x = 334, y = 210;
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
    brush.fill(c, o);
    petal(x, y, a + i * s + 0, l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#dcdcdc");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0, 0);
  ring(x, y, 6, -90, 60, 112, 68, 0.6, pale, 30);
  ring(x, y, 6, -90, 60, 86, 28, 0.45, rich, 40);
  ring(x, y, 11, -90, 72, 40, 6, 0.3, deep, 50);
  brush.fill("#d9962b", 190);
  brush.circle(x, y, 18);
}
function draw() { noLoop(); }
