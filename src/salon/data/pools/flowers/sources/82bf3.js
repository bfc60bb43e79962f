// rose pink daisy
const pale = "#f9c3d3", rich = "#f096b2", deep = "#e26a92";
const x = 200, y = 200;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.circle(l * 0.6, 0, w * 0.5);
  pop();
}
function ring(x, y, n, a, s, l, w, t, c, o) {
  for (let i = 0; i < n; i++) {
    brush.fill(c, o * random(0.7, 1.2));
    petal(x, y, a + i * s + 0, l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#dcdcdc");
  brush.noStroke();
  brush.fillBleed(0.02);
  brush.fillTexture(0, 0);
  ring(x, y, 12, -90, 30, 176, 52, 0.5, rich, 200);
  brush.fill("#d9962b", 200);
  brush.circle(x, y, 42);
  brush.fill("#4a3428", 180);
  for (let i = 0; i < 5; i++) brush.circle(x + random(-58, 58), y + random(-58, 58), 3);
  brush.fill(pale, 200);
  for (let i = 0; i < 8; i++) brush.circle(random(40, 360), random(40, 360), random(10, 20));
}
function draw() { noLoop(); }
