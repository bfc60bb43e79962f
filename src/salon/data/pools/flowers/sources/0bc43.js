// rose pink cosmos
const pale = "#f096b2", rich = "#cb4877", deep = "#a4325d";
const x = 188, y = 168;
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
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#c3dbe8", 110);
  brush.circle(268, 250, 120);
  brush.circle(170, 168, 108);
  brush.fill("#6f8f55", 150);
  petal(x, y, 98, 214, 10, 0.4);
  petal(x, y + 90, 28, 106, 46, 0.2);
  brush.fill("#6f8f55", 150);
  petal(x, y + 92, 130, 118, 46, 0.2);
  petal(x, y + 104, -46, 140, 8, 0.4);
  ring(x + 104, y + -6, 2, -90, 28, 56, 34, 0.4, rich, 150);
  ring(x, y, 8, -90, 45, 114, 64, 0.6, pale, 140);
  ring(x, y, 8, -90, 45, 88, 34, 0.45, rich, 150);
  ring(x, y, 8, -90, 45, 46, 12, 0.3, deep, 180);
  brush.fill("#d9962b", 200);
  brush.circle(x, y, 18);
  brush.fill("#4a3428", 180);
  for (let i = 0; i < 5; i++) brush.circle(x + random(-26, 26), y + random(-26, 26), 3);
}
function draw() { noLoop(); }
