function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(27);
  noLoop();
}

function petal(a, len, w, bend) {
  push();
  rotate(a);
  brush.beginShape(0.5);
  brush.vertex(0, 8);
  brush.vertex(-w * 0.6, -len * 0.3);
  brush.vertex(-w + bend * 0.5, -len * 0.62);
  brush.vertex(bend, -len);
  brush.vertex(w + bend * 0.5, -len * 0.58);
  brush.vertex(w * 0.6, -len * 0.28);
  brush.endShape(true);
  pop();
}

function draw() {
  background("#fbf7ee");
  translate(0, -12);
  brush.noStroke();
  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.12);
  brush.fill("#7da067", 190);
  petal(150, 172, 17, 14);
  brush.fill("#55855f", 190);
  petal(216, 176, 18, -18);

  brush.fillBleed(0.14);
  brush.fill("#f8a659", 170);
  for (let i = 0; i < 3; i++) petal(i * 120 + 62, 142, 32, 12);
  brush.fill("#f58a3c", 180);
  for (let i = 0; i < 3; i++) petal(i * 120, 150, 38, -14);
  brush.fillBleed(0.3);
  brush.fill("#d9531e", 160);
  for (let i = 0; i < 6; i++) petal(i * 60 + 2, 96, 13, 0);
  brush.fillBleed(0.35);
  brush.fill("#8fa83f", 190);
  brush.circle(0, 0, 16);

  // freckles
  brush.fillBleed(0.05);
  brush.fill("#6e2418", 230);
  for (let i = 0; i < 12; i++) {
    const r = 36 + (i % 3) * 13;
    brush.circle(r * sin(i * 30 + 4), -r * cos(i * 30 + 4), 2.5);
  }
  brush.set("HB", "#b9c46a", 2);
  for (let i = 0; i < 6; i++) brush.line(0, 0, 64 * sin(i * 60 + 30), -64 * cos(i * 60 + 30));
  brush.noStroke();
  brush.fill("#7a2e14", 240);
  for (let i = 0; i < 6; i++) brush.circle(66 * sin(i * 60 + 30), -66 * cos(i * 60 + 30), 5);
}
