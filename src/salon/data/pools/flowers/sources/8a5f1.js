// coral hibiscus
const pale = "#fcc0b0", rich = "#f47560", deep = "#c43f38";
const x = 204, y = 182;
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
  brush.fillBleed(0.01);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#94a86b", 200);
  petal(x, y, 90, 200, 12, 0.4);
  petal(x, y + 104, 44, 112, 46, 0.2);
  ring(x, y, 5, -90, 72, 98, 90, 0.5, pale, 120);
  ring(x, y, 5, -90, 72, 78, 54, 0.4, rich, 130);
  ring(x, y, 5, -90, 72, 42, 28, 0.3, deep, 150);
  brush.fill("#e9ae36", 180);
  petal(x, y, -130, 78, 10, 0.5);
  brush.fill(rich, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
