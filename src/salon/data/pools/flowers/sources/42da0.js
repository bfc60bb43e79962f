function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(190);
  noLoop();
}

function ruffle(a, r, w, h) {
  push();
  rotate(a);
  translate(0, -r);
  brush.beginShape(0.5);
  brush.vertex(0, h);
  brush.vertex(-w, -h * 0.2);
  brush.vertex(-w * 0.5, -h * 0.8);
  brush.vertex(-w * 0.15, -h * 0.6);
  brush.vertex(w * 0.2, -h);
  brush.vertex(w * 0.6, -h * 0.6);
  brush.vertex(w, -h * 0.3);
  brush.endShape(true);
  pop();
}

function draw() {
  background("#fbf7ee");
  translate(0, -36);
  brush.noStroke();
  brush.fillTexture(0.3, 0.45);
  brush.fillBleed(0.06);
  brush.fill("#7c9a55", 220);
  brush.beginShape(0.4);
  brush.vertex(-5, 110);
  brush.vertex(-12, 170);
  brush.vertex(2, 238);
  brush.vertex(10, 238);
  brush.vertex(-3, 170);
  brush.vertex(4, 110);
  brush.endShape(true);
  brush.fillBleed(0.15);
  brush.fill("#5d8d56", 200);
  for (const a of [118, 136, 226, 244]) ruffle(a, 165, 11, 40);
  brush.fillBleed(0.18);
  brush.fill("#fbc15a", 190);
  for (let i = 0; i < 11; i++) ruffle(i * 32.7, 84, 30, 32);
  brush.fill("#f7952f", 180);
  for (let i = 0; i < 9; i++) ruffle(i * 40 + 12, 58, 27, 30);
  brush.fill("#e9701f", 180);
  for (let i = 0; i < 7; i++) ruffle(i * 51, 34, 20, 25);
  brush.fillBleed(0.3);
  brush.fill("#b5431a", 190);
  for (let i = 0; i < 4; i++) ruffle(i * 90 + 20, 13, 12, 16);
}
