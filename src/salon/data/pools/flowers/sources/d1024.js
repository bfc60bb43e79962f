function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(19);
  noLoop();
}

function floret(a, len, w) {
  push();
  rotate(a);
  brush.beginShape(0.3);
  brush.vertex(0, -8);
  brush.vertex(-w * 0.6, -len * 0.55);
  brush.vertex(-w, -len * 0.92);
  brush.vertex(-w * 0.3, -len * 0.8);
  brush.vertex(0, -len);
  brush.vertex(w * 0.35, -len * 0.8);
  brush.vertex(w, -len * 0.9);
  brush.vertex(w * 0.5, -len * 0.5);
  brush.endShape(true);
  pop();
}

function draw() {
  background("#fbf7ee");
  translate(0, -55);
  brush.noStroke();
  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.06);
  brush.fill("#6f9070", 220);
  brush.beginShape(0.4);
  brush.vertex(-4, 60);
  brush.vertex(8, 150);
  brush.vertex(-10, 250);
  brush.vertex(-3, 250);
  brush.vertex(16, 150);
  brush.vertex(4, 60);
  brush.endShape(true);
  brush.fill("#84a684", 190);
  brush.beginShape(0.4);
  brush.vertex(6, 200);
  brush.vertex(50, 130);
  brush.vertex(96, 92);
  brush.vertex(62, 140);
  brush.endShape(true);
  brush.beginShape(0.4);
  brush.vertex(4, 220);
  brush.vertex(-40, 160);
  brush.vertex(-84, 134);
  brush.vertex(-50, 180);
  brush.endShape(true);

  brush.fillBleed(0.15);
  brush.fill("#7da2ea", 180);
  for (let i = 0; i < 9; i++) floret(i * 40, 112 - (i % 2) * 10, 30);
  brush.fill("#3f6fd8", 180);
  for (let i = 0; i < 8; i++) floret(i * 45 + 20, 80, 22);
  brush.fillBleed(0.3);
  brush.fill("#3a3fae", 190);
  for (let i = 0; i < 6; i++) floret(i * 60 + 8, 46, 13);
  brush.fill("#7a2f8f", 220);
  brush.circle(0, 0, 12);
}
