// coral lily
const pale = "#f47560", rich = "#e45749", deep = "#e45749";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.circle(l * 0.6, 0, w * 0.5);
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
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.01);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#6f8f55", 200);
  petal(x, y, 94, 212, 10, 0.4);
  petal(x, y + 88, 48, 118, 52, 0.2);
  ring(x, y, 6, -90, 60, 102, 46, 0.28, pale, 70);
  ring(x, y, 6, -90, 60, 84, 26, 0.22, rich, 70);
}
function draw() { noLoop(); }
