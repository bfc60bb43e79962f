// magenta anemone
const pale = "#e678bb", rich = "#b0257d", deep = "#861a5f";
const x = 218, y = 174;
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
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.9, 0.9);
  brush.fill("#dccbe4", 110);
  brush.circle(260, 218, 130);
  brush.circle(170, 218, 124);
  brush.fill("#94a86b", 150);
  petal(x, y + 60, 92, 228, 12, 0.4);
  petal(x, y + 74, 24, 118, 40, 0.2);
  brush.fill("#7f9c6a", 150);
  petal(x, y + 102, 146, 90, 44, 0.2);
  petal(x, y + 66, 12, 102, 40, 0.2);
  petal(x, y + 150, -48, 164, 8, 0.4);
  ring(x + 102, y + 40, 2, -82, 18, 48, 26, 0.4, rich, 160);
  ring(x, y, 7, -90, 51, 98, 64, 0.5, pale, 120);
  ring(x, y, 7, -90, 51, 78, 40, 0.4, rich, 130);
  ring(x, y, 7, -90, 51, 36, 12, 0.3, deep, 150);
  brush.fill("#4a3428", 200);
  brush.circle(x, y, 18);
  brush.fill("#d9962b", 180);
  for (let i = 0; i < 4; i++) brush.circle(x + random(-26, 26), y + random(-26, 26), 3);
}
function draw() { noLoop(); }
