// crimson anemone
const pale = "#f3a3a8", rich = "#c92a42", deep = "#7d0f28";
const x = 98, y = 138;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.3);
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
    petal(x, y, a + i * s + random(-30, 30), l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.01);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#dccbe4", 90);
  brush.circle(142, 132, 150);
  brush.fill("#5f8259", 255);
  petal(x, y, 94, 214, 8, 0.4);
  ring(x, y, 5, -90, 72, 80, 48, 0.5, rich, 30);
  brush.fill("#4a3428", 190);
  brush.circle(x, y, 14);
}
function draw() { noLoop(); }
