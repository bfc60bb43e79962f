// crimson hibiscus
const pale = "#f3a3a8", rich = "#a81530", deep = "#a81530";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.3);
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
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#c9c2b4");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#5d8150", 200);
  petal(x, y, 96, 210, 8, 0.4);
  petal(x, y + 76, 48, 92, 42, 0.2);
  ring(x, y, 8, -90, 45, 90, 78, 0.5, pale, 200);
  ring(x, y, 8, -90, 45, 68, 56, 0.4, rich, 210);
  brush.fill("#d9962b", 190);
  brush.circle(x, y, 14);
  brush.fill(rich, 120);
  for (let i = 0; i < 6; i++) brush.circle(random(40, 360), random(40, 360), random(10, 20));
}
function draw() { noLoop(); }
