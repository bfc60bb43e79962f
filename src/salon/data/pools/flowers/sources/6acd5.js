// rose pink poppy
const pale = "#f096b2", rich = "#cb4877", deep = "#a4325d";
const x = 194, y = 164;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
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
  background("#f8f4ec");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#c3dbe8", 90);
  brush.circle(134, 212, 92);
  brush.circle(260, 142, 100);
  brush.fill("#5d8150", 130);
  petal(x, y, 92, 204, 12, 0.4);
  petal(x, y + 98, 38, 104, 38, 0.2);
  petal(x, y + 94, 144, 118, 38, 0.2);
  petal(x, y + 96, 8, 126, 44, 0.2);
  petal(x, y + 128, -46, 134, 8, 0.4);
  ring(x + 110, y + 18, 2, -90, 28, 52, 32, 0.4, rich, 150);
  ring(x, y, 4, -60, 90, 102, 122, 0.55, pale, 140);
  ring(x, y, 4, -15, 90, 84, 86, 0.5, rich, 150);
  ring(x, y, 4, -60, 90, 36, 30, 0.3, deep, 180);
  brush.fill("#4a3428", 200);
  brush.circle(x, y, 18);
  brush.fill("#e9ae36", 180);
  for (let i = 0; i < 5; i++) brush.circle(x + random(-26, 26), y + random(-26, 26), 3);
  brush.fill(pale, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
