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
  background("#ffffff");
  brush.noStroke();
  brush.fillTexture(0.35, 0.45);
  brush.fillBleed(0.15);
  brush.wash("#86a978", 255);
  petal(128, 128, 26, 88);
  brush.wash("#557f5e", 255);
  petal(232, 126, 26, 84);
  brush.wash("#6f9a68", 255);
  petal(188, 140, 22, 70);

  brush.fillBleed(0.2);
  brush.wash("#f9c3cf", 255);
  for (let i = 0; i < 7; i++) petal(i * 51 + 10, 72, 50, 62);
  brush.wash("#f294ac", 255);
  for (let i = 0; i < 6; i++) petal(i * 60 + 30, 46, 40, 50);
  brush.wash("#e2678b", 255);
  for (let i = 0; i < 5; i++) petal(i * 72, 26, 27, 36);
  brush.fillBleed(0.35);
  brush.wash("#b93a66", 255);
  for (let i = 0; i < 3; i++) petal(i * 120 + 40, 11, 15, 20);
}
