// crimson hibiscus
const pale = "#e2616f", rich = "#c92a42", deep = "#7d0f28";
const x = 214, y = 172;
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
    brush.fill(c, o);
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#dcdcdc");
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#7f9c6a", 130);
  petal(x, y + 74, 94, 196, 12, 0.4);
  petal(x, y + 126, 52, 112, 54, 0.2);
  brush.fill("#7f9c6a", 130);
  petal(x, y + 84, 146, 96, 38, 0.2);
  ring(x, y, 3, -90, 120, 114, 104, 0.5, rich, 30);
  brush.fill("#e9ae36", 255);
  brush.circle(x, y, 18);
}
function draw() { noLoop(); }
