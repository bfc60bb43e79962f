// scarlet hibiscus
const pale = "#f46b55", rich = "#e63a2a", deep = "#98191b";
const x = 184, y = 182;
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
    petal(x, y, a + i * s + 0, l, w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.4, 0.3);
  brush.fill("#cfdfb8", 110);
  brush.circle(136, 186, 148);
  brush.fill("#4d7358", 110);
  petal(x, y, 96, 208, 12, 0.4);
  petal(x, y + 120, 34, 152, 48, 0.2);
  petal(x, y + 94, 146, 148, 36, 0.2);
  ring(x, y, 5, -90, 72, 122, 112, 0.5, pale, 140);
  ring(x, y, 5, -90, 72, 98, 68, 0.4, rich, 150);
  ring(x, y, 5, -90, 72, 52, 24, 0.2, deep, 180);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 20);
}
function draw() { noLoop(); }
