// rose pink hibiscus
const pale = "#f096b2", rich = "#f096b2", deep = "#e26a92";
const x = 200, y = 200;
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
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-3, 3), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#c9c2b4");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.6, 0.3);
  brush.fill("#6f8f55", 255);
  petal(x, y, 86, 218, 12, 0.4);
  ring(x, y, 5, -90, 72, 72, 66, 0.5, rich, 200);
  brush.fill("#f2c14e", 190);
  brush.circle(x, y, 12);
}
function draw() { noLoop(); }
