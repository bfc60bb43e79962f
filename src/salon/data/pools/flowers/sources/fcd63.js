function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(175);
  noLoop();
}

function petal(a, r, w, h) {
  push();
  rotate(a);
  translate(0, -r);
  brush.beginShape(0.7);
  brush.vertex(0, h);
  brush.vertex(-w, h * 0.1);
  brush.vertex(-w * 0.6, -h * 0.8);
  brush.vertex(0, -h);
  brush.vertex(w * 0.65, -h * 0.75);
  brush.vertex(w, h * 0.15);
  brush.endShape(true);
  pop();
}

function draw() {
  background("#fffdf8");
  brush.noStroke();
  brush.fillTexture(0.95, 0.9);
  brush.fillBleed(0.12);
  brush.fill("#4f7f58", 210);
  petal(62, 138, 28, 44);
  petal(238, 140, 28, 44);
  brush.fill("#6f9a5f", 200);
  petal(118, 140, 26, 46);
  brush.fill("#7ea86c", 190);
  petal(196, 138, 24, 44);
  brush.fillBleed(0.2);
  brush.fill("#f08a90", 180);
  for (let i = 0; i < 6; i++) petal(i * 60, 70, 46, 46);
  brush.fill("#dd4a5e", 180);
  for (let i = 0; i < 6; i++) petal(i * 60 + 30, 46, 36, 38);
  brush.fill("#c22a45", 180);
  for (let i = 0; i < 5; i++) petal(i * 72, 26, 25, 28);
  brush.fillBleed(0.3);
  brush.fill("#8e1233", 190);
  for (let i = 0; i < 3; i++) petal(i * 120 + 20, 10, 12, 16);
  brush.fillBleed(0.1);
  brush.fill("#f3c14b", 250);
  brush.circle(2, 2, 8);
}
