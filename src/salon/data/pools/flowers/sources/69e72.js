// crimson hibiscus
const pale = "#f3a3a8", rich = "#c92a42", deep = "#a81530";
const x = 214, y = 176;
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
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#c3dbe8", 110);
  brush.circle(162, 216, 102);
  brush.circle(264, 142, 140);
  brush.fill("#94a86b", 255);
  petal(x, y, 96, 222, 12, 0.4);
  ring(x, y, 5, -90, 72, 36, 36, 0.5, pale, 30);
  ring(x, y, 5, -90, 72, 26, 30, 0.4, rich, 40);
  brush.fill("#e9ae36", 180);
  petal(x, y, -130, 28, 10, 0.5);
}
function draw() { noLoop(); }
