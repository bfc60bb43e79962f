// crimson hibiscus
const pale = "#c92a42", rich = "#a81530", deep = "#a81530";
const x = 110, y = 150;
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
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-9, 9), l * random(0.94, 1.06), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.4, 0.3);
  ring(x, y, 5, -90, 72, 76, 70, 0.5, pale, 70);
  ring(x, y, 5, -90, 72, 62, 48, 0.4, rich, 70);
  brush.fill("#e9ae36", 190);
  brush.circle(x, y, 12);
}
function draw() { noLoop(); }
