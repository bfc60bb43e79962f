function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(4);
  noLoop();
}

function petal(a, len, w) {
  push();
  rotate(a);
  brush.beginShape(0.6);
  brush.vertex(0, 4);
  brush.vertex(-w * 0.5, -len * 0.35);
  brush.vertex(-w, -len * 0.72);
  brush.vertex(-w * 0.62, -len * 0.97);
  brush.vertex(-w * 0.1, -len * 0.93);
  brush.vertex(w * 0.4, -len);
  brush.vertex(w * 0.95, -len * 0.76);
  brush.vertex(w * 0.5, -len * 0.32);
  brush.endShape(true);
  pop();
}

function leaf(x, y, a, len, w) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
  brush.vertex(0, 0);
  brush.vertex(-w, -len * 0.4);
  brush.vertex(-w * 0.6, -len * 0.75);
  brush.vertex(0, -len);
  brush.vertex(w * 0.7, -len * 0.65);
  brush.vertex(w * 0.9, -len * 0.35);
  brush.endShape(true);
  pop();
}

function draw() {
  background("#faf5e9");
  scale(0.34);
  brush.noStroke();
  // a breath of warm wash
  brush.fillBleed(0.5);
  brush.fillTexture(0.5, 0.1);
  brush.fill("#f7d9b0", 60);
  brush.circle(20, -10, 120);

  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.14);
  brush.fill("#8fb07a", 170);
  leaf(-50, 70, 232, 105, 30);
  brush.fill("#4f8560", 180);
  leaf(40, 85, 160, 100, 28);
  brush.fill("#6f9c5c", 170);
  leaf(80, 30, 108, 95, 24);

  const turn = [-8, 66, 138, 208, 282];
  brush.fillBleed(0.16);
  brush.fill("#ffb08a", 150);
  for (let i = 0; i < 5; i++) petal(turn[i], 122 - (i % 2) * 8, 62);
  brush.fillBleed(0.28);
  brush.fill("#f0785a", 150);
  for (let i = 0; i < 5; i++) petal(turn[i] + 4, 84, 34);
  brush.fillBleed(0.35);
  brush.fill("#b3264a", 210);
  for (let i = 0; i < 5; i++) petal(turn[i], 40, 13);

  brush.set("HB", "#d9a441", 3);
  brush.spline([[0, 0], [26, -26], [40, -66]], 0.5);
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.fill("#f2b93b", 230);
  brush.circle(42, -70, 6);
  brush.circle(33, -62, 5);
  brush.circle(49, -61, 5);
  brush.circle(38, -50, 4);
}
