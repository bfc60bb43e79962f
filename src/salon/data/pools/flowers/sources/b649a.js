// magenta poppy
const pale = "#e678bb", rich = "#b0257d", deep = "#861a5f";
const x = 198, y = 174;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.6);
  brush.vertex(-6, 0);
  brush.vertex(l * 0.45, -w * 0.42);
  brush.vertex(l * 0.88, -w * t * random(0.8, 1.1));
  brush.vertex(l * random(0.86, 1.06), 0);
  brush.vertex(l * 0.88, w * t * random(0.8, 1.1));
  brush.vertex(l * 0.45, w * 0.42);
  brush.endShape(true);
  pop();
}
function ring(x, y, n, a, s, l, w, t, c, o) {
  for (let i = 0; i < n; i++) {
    brush.fill(c, o * random(0.7, 1.2));
    petal(x, y, a + i * s + random(-9, 9), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#dccbe4", 90);
  brush.circle(136, 134, 98);
  brush.fill("#4d7358", 130);
  petal(x, y + 52, 94, 218, 8, 0.4);
  petal(x, y + 68, 40, 120, 46, 0.2);
  brush.fill("#5f8259", 130);
  petal(x, y + 112, 148, 102, 48, 0.2);
  petal(x, y + 146, -48, 152, 8, 0.4);
  ring(x + 106, y + 36, 2, -82, 18, 52, 30, 0.4, rich, 160);
  ring(x, y, 4, -60, 90, 102, 122, 0.55, pale, 160);
  ring(x, y, 4, -15, 90, 84, 86, 0.5, rich, 160);
  brush.fill("#3b2f38", 255);
  brush.circle(x, y, 18);
  brush.fill(pale, 120);
  for (let i = 0; i < 3; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
