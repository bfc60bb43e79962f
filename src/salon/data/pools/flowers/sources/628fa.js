// sky blue peony
const pale = "#cfe8f7", rich = "#74b8e4", deep = "#327bb3";
const x = 214, y = 182;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#cfdfb8", 90);
  brush.circle(238, 172, 132);
  brush.circle(228, 266, 130);
  brush.fill("#4d7358", 130);
  petal(x, y, 86, 218, 10, 0.4);
  petal(x, y + 80, 48, 112, 56, 0.2);
  petal(x, y + 106, 156, 124, 46, 0.2);
  petal(x, y + 128, -46, 140, 8, 0.4);
  ring(x + 110, y + 18, 2, -90, 28, 56, 34, 0.4, rich, 150);
  ring(x, y, 7, -90, 51, 116, 100, 0.55, pale, 120);
  ring(x, y, 6, -60, 60, 86, 72, 0.55, rich, 130);
  ring(x, y, 5, -30, 72, 56, 48, 0.5, deep, 150);
  brush.fill("#d9962b", 200);
  brush.circle(x, y, 14);
  brush.fill("#2e3140", 180);
  for (let i = 0; i < 5; i++) brush.circle(x + random(-20, 20), y + random(-20, 20), 3);
}
function draw() { noLoop(); }
