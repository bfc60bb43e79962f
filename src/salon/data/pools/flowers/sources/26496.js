// lilac hibiscus
const pale = "#b7a68f", rich = "#f6c3cc", deep = "#eea3b2";
const x = 306, y = 136;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.06);
  brush.fillTexture(0.2, 0.2);
  brush.fill("#c3dbe8", 110);
  brush.circle(224, 172, 140);
  brush.circle(172, 144, 144);
  ring(x, y, 3, -90, 120, 94, 86, 0.5, pale, 200);
  ring(x, y, 8, -90, 45, 72, 52, 0.4, rich, 210);
  brush.fill("#d9962b", 190);
  brush.circle(x, y, 14);
}
function draw() { noLoop(); }
