// lilac hibiscus
const pale = "#bd9cd6", rich = "#a37ec4", deep = "#a37ec4";
const x = 286, y = 328;
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
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#6b6b3a", 110);
  petal(x, y + 26, 84, 210, 8, 0.4);
  petal(x, y + 30, 36, 28, 50, 0.2);
  petal(x, y + 28, 142, 34, 56, 0.2);
  petal(x, y + 22, 18, 38, 48, 0.2);
  ring(x, y, 3, -90, 72, 34, 32, 0.5, pale, 200);
  ring(x, y, 3, -90, 120, 26, 18, 0.4, rich, 210);
  brush.fill("#d9962b", 180);
  petal(x, y, -140, 30, 10, 0.5);
  brush.fill(pale, 200);
  for (let i = 0; i < 6; i++) brush.circle(random(40, 360), random(40, 360), random(10, 20));
}
function draw() { noLoop(); }
