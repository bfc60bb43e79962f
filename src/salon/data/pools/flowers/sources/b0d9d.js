// crimson lily
const pale = "#f3a3a8", rich = "#c92a42", deep = "#a81530";
const x = 214, y = 166;
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
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
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
  brush.circle(162, 248, 134);
  brush.fill("#7f9c6a", 150);
  petal(x, y + 66, 92, 208, 12, 0.4);
  petal(x, y + 84, 34, 96, 38, 0.2);
  brush.fill("#7f9c6a", 150);
  petal(x, y + 80, 154, 98, 38, 0.2);
  ring(x, y, 6, -90, 60, 96, 44, 0.28, pale, 120);
  ring(x, y, 6, -90, 60, 78, 24, 0.22, rich, 130);
  ring(x, y, 6, -90, 60, 38, 10, 0.2, deep, 150);
  ring(x, y, 5, -82, 72, 46, 6, 0.9, "#e9ae36", 200);
  brush.fill(rich, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
