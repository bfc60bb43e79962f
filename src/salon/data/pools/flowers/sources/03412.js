// indigo sunflower
const pale = "#b9c0ea", rich = "#5360b5", deep = "#262c6c";
const x = 206, y = 176;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#c3dbe8", 110);
  brush.circle(214, 168, 136);
  brush.fill("#7f9c6a", 110);
  petal(x, y, 90, 204, 12, 0.4);
  petal(x, y + 80, 26, 118, 54, 0.2);
  brush.fill("#7f9c6a", 110);
  petal(x, y + 100, 146, 106, 38, 0.2);
  petal(x, y + 68, 10, 110, 36, 0.2);
  ring(x, y, 14, -90, 26, 112, 32, 0.26, pale, 140);
  ring(x, y, 7, -78, 51, 92, 22, 0.22, rich, 150);
  ring(x, y, 7, -90, 51, 62, 14, 0.2, deep, 180);
  brush.fill("#4a3428", 200);
  brush.circle(x, y, 38);
  brush.fill("#d9962b", 180);
  for (let i = 0; i < 5; i++) brush.circle(x + random(-54, 54), y + random(-54, 54), 3);
  brush.fill(rich, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
