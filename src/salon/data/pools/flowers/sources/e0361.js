// lilac sunflower
const pale = "#eadcf2", rich = "#bd9cd6", deep = "#8562aa";
const x = 200, y = 174;
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
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#cfdfb8", 110);
  brush.circle(232, 168, 94);
  brush.circle(238, 196, 140);
  brush.fill("#94a86b", 130);
  petal(x, y, 84, 214, 10, 0.4);
  petal(x, y + 114, 52, 112, 40, 0.2);
  brush.fill("#5f8259", 130);
  petal(x, y + 66, 152, 96, 50, 0.2);
  petal(x, y + 64, 6, 94, 38, 0.2);
  petal(x, y + 120, -46, 144, 8, 0.4);
  ring(x + 104, y + 10, 2, -90, 28, 54, 32, 0.4, rich, 150);
  ring(x, y, 14, -90, 26, 108, 30, 0.26, pale, 140);
  ring(x, y, 7, -78, 51, 88, 22, 0.22, rich, 150);
  ring(x, y, 7, -90, 51, 60, 12, 0.2, deep, 180);
  brush.fill("#4a3428", 200);
  brush.circle(x, y, 36);
  brush.fill("#e9ae36", 180);
  for (let i = 0; i < 4; i++) brush.circle(x + random(-50, 50), y + random(-50, 50), 3);
}
function draw() { noLoop(); }
