// coral peony
const pale = "#fa9a84", rich = "#e45749", deep = "#c43f38";
const x = 210, y = 180;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#fbf7ee");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#7f9c6a", 110);
  petal(x, y, 86, 202, 8, 0.4);
  petal(x, y + 60, 48, 104, 44, 0.2);
  petal(x, y + 78, 148, 128, 48, 0.2);
  petal(x, y + 114, -134, 134, 8, 0.4);
  ring(x - 104, y + 4, 2, -118, 28, 54, 32, 0.4, rich, 150);
  ring(x, y, 5, -90, 51, 108, 92, 0.55, pale, 160);
  ring(x, y, 4, -60, 60, 80, 66, 0.55, rich, 160);
  ring(x, y, 3, -30, 72, 52, 46, 0.5, deep, 190);
  brush.fill("#e9ae36", 200);
  brush.circle(x, y, 12);
  brush.fill("#2e3140", 180);
  for (let i = 0; i < 6; i++) brush.circle(x + random(-16, 16), y + random(-16, 16), 3);
}
function draw() { noLoop(); }
