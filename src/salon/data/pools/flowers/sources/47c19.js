// indigo anemone
const pale = "#fddcc4", rich = "#fbc7a4", deep = "#f5a87e";
const x = 80, y = 274;
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
  background("#dcdcdc");
  brush.noStroke();
  brush.fillBleed(0.02);
  brush.fillTexture(0.9, 0.9);
  ring(x, y, 5, -90, 72, 194, 128, 0.5, rich, 70);
  brush.fill("#3b2f38", 255);
  brush.circle(x, y, 34);
}
function draw() { noLoop(); }
