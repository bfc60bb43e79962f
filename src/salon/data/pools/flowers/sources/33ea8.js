// crimson poppy
const pale = "#c92a42", rich = "#a81530", deep = "#a81530";
const x = 202, y = 182;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.6);
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
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0, 0);
  brush.fill("#f0d9b5", 90);
  brush.circle(152, 182, 150);
  brush.circle(186, 150, 112);
  brush.fill("#4d7358", 200);
  petal(x, y, 96, 228, 8, 0.4);
  petal(x, y + 72, 34, 122, 50, 0.2);
  petal(x, y + 150, -132, 156, 8, 0.4);
  ring(x - 102, y + 40, 2, -114, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 4, -60, 90, 118, 142, 0.55, pale, 120);
  ring(x, y, 4, -15, 90, 96, 100, 0.5, rich, 130);
  ring(x, y, 4, -60, 90, 42, 36, 0.3, deep, 150);
  brush.fill("#2e3140", 200);
  brush.circle(x, y, 20);
  brush.fill("#d9962b", 180);
  for (let i = 0; i < 5; i++) brush.circle(x + random(-28, 28), y + random(-28, 28), 3);
  brush.fill(rich, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
