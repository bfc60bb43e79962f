function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(133);
  noLoop();
}

function petal(a, len, w) {
  push();
  rotate(a);
  brush.beginShape(0.6);
  brush.vertex(0, 4);
  brush.vertex(-w * 0.45, -len * 0.34);
  brush.vertex(-w, -len * 0.7);
  brush.vertex(-w * 0.6, -len * 0.96);
  brush.vertex(-w * 0.05, -len * 0.94);
  brush.vertex(w * 0.5, -len);
  brush.vertex(w, -len * 0.7);
  brush.vertex(w * 0.45, -len * 0.3);
  brush.endShape(true);
  pop();
}

function leaf(x, y, a, len, w) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
  brush.vertex(0, 0);
  brush.vertex(-w, -len * 0.38);
  brush.vertex(-w * 0.5, -len * 0.78);
  brush.vertex(0, -len);
  brush.vertex(w * 0.7, -len * 0.62);
  brush.vertex(w * 0.9, -len * 0.3);
  brush.endShape(true);
  pop();
}

function bloom(x, y, size, turn, squash) {
  push();
  translate(x, y);
  rotate(turn);
  scale(1, squash);
  brush.fillBleed(0.16);
  brush.fill("#fbab94", 180);
  for (let i = 0; i < 5; i++) petal(i * 72 + (i % 2) * 6, size, size * 0.5);
  brush.fillBleed(0.28);
  brush.fill("#ee6a58", 170);
  for (let i = 0; i < 5; i++) petal(i * 72 + 4, size * 0.66, size * 0.26);
  brush.fillBleed(0.35);
  brush.fill("#9e1f48", 200);
  for (let i = 0; i < 5; i++) petal(i * 72, size * 0.34, size * 0.11);
  brush.fillBleed(0.06);
  brush.fill("#f3c860", 250);
  petal(38, size * 0.7, size * 0.035);
  brush.circle(size * 0.44, -size * 0.56, size * 0.05);
  brush.circle(size * 0.38, -size * 0.63, size * 0.04);
  brush.circle(size * 0.5, -size * 0.48, size * 0.04);
  pop();
}

function draw() {
  background("#fbf7ee");
  brush.noStroke();
  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.14);
  brush.fill("#6f9c6b", 190);
  leaf(-112, 40, 250, 76, 22);
  brush.fill("#4e8565", 190);
  leaf(-30, 78, 190, 104, 26);
  brush.fill("#8bb072", 190);
  leaf(62, -86, 66, 104, 26);
  bloom(-46, -34, 112, -14, 0.94);
  bloom(84, 84, 82, 30, 0.9);
}
