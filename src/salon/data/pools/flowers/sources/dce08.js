// indigo sunflower
const pale = "#8490d3", rich = "#5360b5", deep = "#262c6c";
const x = 190, y = 182;
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
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#dccbe4", 110);
  brush.circle(224, 136, 106);
  brush.circle(150, 142, 120);
  brush.fill("#94a86b", 150);
  petal(x, y + 84, 96, 214, 10, 0.4);
  petal(x, y + 124, 30, 102, 44, 0.2);
  brush.fill("#94a86b", 150);
  petal(x, y + 76, 134, 136, 50, 0.2);
  ring(x, y, 14, -90, 26, 114, 32, 0.26, pale, 200);
  ring(x, y, 7, -78, 51, 94, 22, 0.22, rich, 210);
  ring(x, y, 7, -90, 51, 64, 14, 0.2, deep, 220);
  brush.fill("#3b2f38", 200);
  brush.circle(x, y, 38);
  brush.fill("#e9ae36", 180);
  for (let i = 0; i < 6; i++) brush.circle(x + random(-54, 54), y + random(-54, 54), 3);
  brush.fill(rich, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
