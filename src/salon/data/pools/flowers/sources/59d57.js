function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(556);
  noLoop();
}

function shape(points) {
  brush.beginShape(0.5);
  for (const p of points) brush.vertex(p[0], p[1]);
  brush.endShape(true);
}

function iris(x, y, s, turn) {
  push();
  translate(x, y);
  rotate(turn);
  scale(s);
  brush.fillBleed(0.18);
  brush.fill("#a9b2ea", 190);
  shape([[0, 10], [-36, -40], [-44, -104], [-16, -128], [6, -80], [6, -30]]);
  shape([[0, 10], [0, -60], [22, -124], [50, -100], [44, -44], [20, -6]]);
  brush.fill("#5a68c8", 190);
  shape([[-2, 0], [-44, -16], [-94, 4], [-108, 50], [-78, 70], [-34, 30]]);
  shape([[2, 0], [46, -18], [96, 2], [110, 46], [80, 70], [34, 30]]);
  brush.fillBleed(0.25);
  brush.fill("#4451b4", 200);
  shape([[0, 2], [-28, 36], [-30, 86], [0, 112], [32, 84], [28, 34]]);
  brush.fillBleed(0.35);
  brush.fill("#262c7c", 180);
  shape([[-8, 6], [-48, 12], [-80, 34], [-60, 48]]);
  shape([[8, 6], [50, 10], [82, 32], [62, 48]]);
  brush.fillBleed(0.1);
  brush.fill("#f2b93a", 250);
  shape([[0, 4], [-7, 30], [0, 54], [7, 30]]);
  pop();
}

function draw() {
  background("#fffdf8");
  translate(-200, -200);
  brush.noStroke();
  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.04);
  brush.fill("#76976a", 220);
  shape([[158, 270], [176, 330], [190, 396], [199, 396], [184, 328], [166, 270]]);
  shape([[282, 330], [262, 362], [232, 396], [241, 396], [270, 364], [290, 330]]);
  brush.fill("#5d8b66", 200);
  shape([[184, 396], [138, 330], [92, 262], [128, 352], [170, 396]]);
  shape([[240, 396], [306, 338], [352, 296], [324, 352], [258, 396]]);
  iris(160, 160, 1, -4);
  iris(288, 250, 0.66, 8);
}
