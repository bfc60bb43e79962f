// coral poppy
const pale = "#fa9a84", rich = "#f47560", deep = "#c43f38";
const x = 184, y = 172;
function petal(x, y, a, l, w, t) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
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
    petal(x, y, a + i * s + random(-7, 7), l * random(0.86, 1.1), w, t);
  }
}
function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  translate(-200, -200);
  background("#faf5e9");
  brush.noStroke();
  brush.fillBleed(0.22);
  brush.fillTexture(0.4, 0.4);
  brush.fill("#c3dbe8", 110);
  brush.circle(168, 198, 110);
  brush.circle(196, 216, 148);
  brush.fill("#5f8259", 110);
  petal(x, y, 88, 198, 12, 0.4);
  petal(x, y + 74, 46, 118, 48, 0.2);
  brush.fill("#4d7358", 110);
  petal(x, y + 78, 136, 102, 46, 0.2);
  ring(x, y, 4, -60, 90, 110, 132, 0.55, rich, 120);
  brush.fill("#4a3428", 200);
  brush.circle(x, y, 18);
  brush.fill("#d9962b", 180);
  for (let i = 0; i < 5; i++) brush.circle(x + random(-26, 26), y + random(-26, 26), 3);
  brush.fill(pale, 120);
  for (let i = 0; i < 4; i++) brush.circle(random(40, 360), random(40, 360), random(2, 6));
}
function draw() { noLoop(); }
