// cobalt hibiscus
const pale = "#7aa5e0", rich = "#2a5cab", deep = "#1c4283";
const x = 196, y = 176;
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
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#f0d9b5", 90);
  brush.circle(132, 164, 106);
  brush.circle(222, 238, 110);
  brush.fill("#4d7358", 110);
  petal(x, y + 72, 86, 206, 10, 0.4);
  petal(x, y + 92, 26, 114, 56, 0.2);
  brush.fill("#4d7358", 110);
  petal(x, y + 102, 146, 132, 50, 0.2);
  petal(x, y + 128, 18, 120, 54, 0.2);
  ring(x, y, 5, -90, 72, 120, 110, 0.5, pale, 120);
  ring(x, y, 5, -90, 72, 96, 68, 0.4, rich, 130);
  ring(x, y, 5, -90, 72, 50, 34, 0.3, deep, 150);
  brush.fill("#e9ae36", 180);
  petal(x, y, -140, 96, 10, 0.5);
  brush.fill(pale, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
