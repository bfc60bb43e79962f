// orange sunflower
const pale = "#fbae5c", rich = "#f48c2a", deep = "#bd5712";
const x = 186, y = 170;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.6);
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
  background("#f4f4f4");
  brush.noStroke();
  brush.fillBleed(0.14);
  brush.fillTexture(0.5, 0.5);
  brush.fill("#cfdfb8", 110);
  brush.circle(256, 142, 108);
  brush.fill("#4d7358", 150);
  petal(x, y + 54, 86, 198, 12, 0.4);
  petal(x, y + 94, 46, 88, 44, 0.2);
  brush.fill("#94a86b", 150);
  petal(x, y + 66, 138, 96, 48, 0.2);
  petal(x, y + 102, 10, 108, 56, 0.2);
  ring(x, y, 14, -90, 26, 96, 26, 0.26, pale, 160);
  ring(x, y, 7, -78, 51, 78, 20, 0.22, rich, 160);
  ring(x, y, 7, -90, 51, 54, 12, 0.2, deep, 190);
  brush.fill("#4a3428", 190);
  brush.circle(x, y, 32);
}
function draw() { noLoop(); }
