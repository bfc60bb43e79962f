// blush pink sunflower
const pale = "#f6c3cc", rich = "#e0839a", deep = "#c9647f";
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
    brush.fill(c, o);
    petal(x, y, a + i * s + 0, l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#5d8150", 255);
  petal(x, y, 98, 204, 12, 0.4);
  ring(x, y, 14, -90, 26, 80, 20, 0.26, rich, 30);
  brush.fill("#2e3140", 255);
  brush.circle(x, y, 26);
}
function draw() { noLoop(); }
