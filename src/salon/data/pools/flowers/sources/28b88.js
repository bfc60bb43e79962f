// rose pink poppy
const pale = "#f9c3d3", rich = "#f096b2", deep = "#e26a92";
const x = 320, y = 198;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.3);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.45, -w * 0.42);
  brush.vertex(l * 0.88, -w * t * random(0.8, 1.1));
  brush.vertex(l, 0);
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
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#6f8f55", 200);
  petal(x, y, 94, 196, 10, 0.4);
  petal(x, y + 54, 24, 90, 46, 0.2);
  ring(x, y, 4, -60, 90, 96, 116, 0.55, pale, 70);
  ring(x, y, 4, -15, 90, 78, 80, 0.5, rich, 70);
  brush.fill("#3b2f38", 200);
  brush.circle(x, y, 16);
  brush.fill("#d9962b", 180);
  for (let i = 0; i < 4; i++) brush.circle(x + random(-22, 22), y + random(-22, 22), 3);
}
function draw() { noLoop(); }
