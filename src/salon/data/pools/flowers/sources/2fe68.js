// crimson hibiscus
const pale = "#f3a3a8", rich = "#c92a42", deep = "#a81530";
const x = 196, y = 180;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#f0d9b5", 90);
  brush.circle(228, 252, 132);
  brush.fill("#4d7358", 130);
  petal(x, y + 68, 90, 204, 10, 0.4);
  petal(x, y + 76, 50, 100, 44, 0.2);
  petal(x, y + 98, 150, 106, 44, 0.2);
  petal(x, y + 92, 10, 110, 42, 0.2);
  petal(x, y + 156, -132, 166, 8, 0.4);
  ring(x - 104, y + 46, 2, -114, 18, 52, 30, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 106, 98, 0.5, pale, 120);
  ring(x, y, 5, -90, 72, 84, 60, 0.4, rich, 130);
  ring(x, y, 5, -90, 72, 44, 30, 0.3, deep, 150);
  brush.fill("#d9962b", 180);
  petal(x, y, -130, 84, 10, 0.5);
  brush.fill(rich, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
