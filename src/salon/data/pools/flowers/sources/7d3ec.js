// crimson sunflower
const pale = "#f3a3a8", rich = "#c92a42", deep = "#a81530";
const x = 210, y = 164;
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
    petal(x, y, a + i * s + random(-5, 5), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#d5ecc4");
  brush.noStroke();
  brush.fillBleed(0.18);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#cfdfb8", 90);
  brush.circle(166, 198, 124);
  brush.circle(170, 202, 92);
  brush.fill("#94a86b", 150);
  petal(x, y + 70, 94, 220, 10, 0.4);
  petal(x, y + 64, 44, 104, 52, 0.2);
  brush.fill("#7f9c6a", 150);
  petal(x, y + 120, 134, 124, 54, 0.2);
  petal(x, y + 116, -132, 152, 8, 0.4);
  ring(x - 102, y + 6, 2, -114, 18, 56, 32, 0.4, rich, 160);
  ring(x, y, 14, -90, 26, 110, 30, 0.26, pale, 255);
  ring(x, y, 7, -78, 51, 90, 22, 0.22, rich, 255);
  ring(x, y, 7, -90, 51, 62, 14, 0.2, deep, 255);
  brush.fill("#4a3428", 200);
  brush.circle(x, y, 38);
  brush.fill("#d9962b", 180);
  for (let i = 0; i < 4; i++) brush.circle(x + random(-54, 54), y + random(-54, 54), 3);
}
function draw() { noLoop(); }
