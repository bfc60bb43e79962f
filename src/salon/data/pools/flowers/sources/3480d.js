// indigo hibiscus
const pale = "#b9c0ea", rich = "#8490d3", deep = "#5360b5";
const x = 200, y = 200;
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
    brush.fill(c, o * random(0.7, 1.2));
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#6a6a72");
  brush.noStroke();
  brush.fillBleed(0.01);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#7f9c6a", 130);
  petal(x, y + 20, 88, 226, 10, 0.4);
  petal(x, y + 32, 32, 26, 52, 0.2);
  brush.fill("#7f9c6a", 150);
  petal(x, y + 32, 146, 42, 50, 0.2);
  ring(x, y, 3, -90, 120, 50, 44, 0.5, pale, 200);
  ring(x, y, 8, -90, 72, 44, 32, 0.4, rich, 210);
  ring(x, y, 3, -90, 120, 20, 22, 0.3, deep, 220);
  brush.fill("#d9962b", 180);
  petal(x, y, -140, 36, 10, 0.5);
  brush.fill(rich, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
