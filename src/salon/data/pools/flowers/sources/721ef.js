function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(52);
  noLoop();
}

function petal(a, len, w) {
  push();
  rotate(a);
  brush.beginShape(0.6);
  brush.vertex(0, 4);
  brush.vertex(-w * 0.5, -len * 0.35);
  brush.vertex(-w, -len * 0.7);
  brush.vertex(-w * 0.5, -len * 0.98);
  brush.vertex(w * 0.15, -len * 0.92);
  brush.vertex(w * 0.6, -len * 1.02);
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
  brush.vertex(-w, -len * 0.4);
  brush.vertex(-w * 0.5, -len * 0.78);
  brush.vertex(0, -len);
  brush.vertex(w * 0.7, -len * 0.62);
  brush.vertex(w * 0.9, -len * 0.3);
  brush.endShape(true);
  pop();
}

function draw() {
  background("#fbf7ee");
  translate(-12, -4);
  rotate(12);
  brush.noStroke();
  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.14);
  brush.fill("#6b9b66", 180);
  leaf(72, 56, 128, 112, 30);
  brush.fill("#8bb06f", 180);
  leaf(-66, 62, 236, 98, 28);
  brush.fill("#4c8262", 180);
  leaf(6, 92, 184, 84, 24);

  const turn = [0, 73, 143, 214, 288];
  brush.fillBleed(0.16);
  brush.fill("#fbe27a", 190);
  for (let i = 0; i < 5; i++) petal(turn[i], 124 - (i % 3) * 6, 60);
  brush.fillBleed(0.28);
  brush.fill("#f4b93a", 160);
  for (let i = 0; i < 5; i++) petal(turn[i] - 4, 82, 33);
  brush.fillBleed(0.35);
  brush.fill("#c53a2e", 200);
  for (let i = 0; i < 5; i++) petal(turn[i] + 2, 46, 15);

  brush.fillBleed(0.08);
  brush.fill("#e8883a", 230);
  brush.beginShape(0.5);
  brush.vertex(-3, -2);
  brush.vertex(-30, -34);
  brush.vertex(-62, -54);
  brush.vertex(-60, -60);
  brush.vertex(-25, -40);
  brush.vertex(3, -6);
  brush.endShape(true);
  brush.fill("#d8542e", 240);
  brush.circle(-66, -60, 5);
  brush.circle(-58, -66, 4);
  brush.circle(-68, -50, 4);
  brush.circle(-50, -56, 4);
}
