// blush pink hibiscus
const pale = "#f6c3cc", rich = "#eea3b2", deep = "#c9647f";
const x = 78, y = 170;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.6, -w * 0.5);
  brush.vertex(l, 0);
  brush.vertex(l * 0.6, w * 0.5);
  brush.endShape(true);
  pop();
}
function ring(x, y, n, a, s, l, w, t, c, o) {
  for (let i = 0; i < n; i++) {
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-30, 30), l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#d5ecc4");
  brush.noStroke();
  brush.fillBleed(0.02);
  brush.fillTexture(0, 0);
  ring(x, y, 3, -90, 120, 196, 176, 0.5, rich, 30);
  brush.fill("#d9962b", 255);
  brush.circle(x, y, 30);
}
function draw() { noLoop(); }
