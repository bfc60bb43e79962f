function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(14);
  noLoop();
}

function petal(a, r, w, h) {
  push();
  rotate(a);
  translate(0, -r);
  brush.beginShape(0.6);
  brush.vertex(-w * 0.4, h * 0.6);
  brush.vertex(-w, 0);
  brush.vertex(-w * 0.7, -h * 0.6);
  brush.vertex(-w * 0.15, -h * 0.5);
  brush.vertex(w * 0.3, -h * 0.68);
  brush.vertex(w * 0.9, -h * 0.3);
  brush.vertex(w * 0.8, h * 0.3);
  brush.vertex(w * 0.3, h * 0.65);
  brush.endShape(true);
  pop();
}

function draw() {
  background("#fbf7ee");
  brush.noStroke();
  brush.fillTexture(0.35, 0.45);
  brush.fillBleed(0.15);
  brush.fill("#86a978", 180);
  petal(128, 128, 26, 88);
  brush.fill("#557f5e", 180);
  petal(232, 126, 26, 84);
  brush.fill("#6f9a68", 170);
  petal(188, 140, 22, 70);

  brush.fillBleed(0.2);
  brush.fill("#f9c3cf", 160);
  for (let i = 0; i < 7; i++) petal(i * 51 + 10, 72, 50, 62);
  brush.fill("#f294ac", 150);
  for (let i = 0; i < 6; i++) petal(i * 60 + 30, 46, 40, 50);
  brush.fill("#e2678b", 160);
  for (let i = 0; i < 5; i++) petal(i * 72, 26, 27, 36);
  brush.fillBleed(0.35);
  brush.fill("#b93a66", 180);
  for (let i = 0; i < 3; i++) petal(i * 120 + 40, 11, 15, 20);
}
