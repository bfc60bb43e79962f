// orange anemone
const pale = "#fddcc4", rich = "#fbc7a4", deep = "#f5a87e";
const x = 312, y = 80;
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
  background("#e8c9d6");
  brush.noStroke();
  brush.fillBleed(0.6);
  brush.fillTexture(0.9, 0.9);
  petal(x, y + 154, -132, 158, 8, 0.4);
  ring(x - 102, y + 44, 2, -114, 18, 20, 12, 0.4, rich, 160);
  ring(x, y, 5, -90, 72, 40, 26, 0.5, rich, 30);
  brush.fill("#4a3428", 255);
  brush.circle(x, y, 8);
}
function draw() { noLoop(); }
