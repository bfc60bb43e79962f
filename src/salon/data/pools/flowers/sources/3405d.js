function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(31);
  noLoop();
}

function petal(a, len, w) {
  push();
  rotate(a);
  brush.beginShape(0.4);
  brush.vertex(0, 0);
  brush.vertex(-w * 0.8, -len * 0.4);
  brush.vertex(-w * 0.75, -len * 0.7);
  brush.vertex(0, -len);
  brush.vertex(w * 0.85, -len * 0.65);
  brush.vertex(w * 0.7, -len * 0.3);
  brush.endShape(true);
  pop();
}

function shape(points) {
  brush.beginShape(0.5);
  for (const p of points) brush.vertex(p[0], p[1]);
  brush.endShape(true);
}

function draw() {
  background("#ffffff");
  brush.noStroke();
  brush.fillBleed(0.6);
  brush.fillTexture(0.4, 0.1);
  brush.fill("#6c6a4a", 240);
  brush.circle(-20, -45, 125);

  brush.fillTexture(0.3, 0.4);
  brush.fillBleed(0.05);
  brush.fill("#8a7a58", 240);
  shape([[-6, 20], [2, 100], [-4, 198], [10, 198], [14, 100], [8, 20]]);
  brush.fill("#8a7a58", 240);
  shape([[-34, 198], [-64, 110], [-92, 40], [-52, 108], [-14, 198]]);
  shape([[22, 198], [62, 120], [104, 70], [82, 128], [44, 198]]);

  translate(0, -45);
  brush.fillBleed(0.15);
  brush.fill("#94805f", 240);
  for (let i = 0; i < 3; i++) petal(i * 120 + 30, 112, 42);
  brush.fill("#5f5a52", 240);
  for (let i = 0; i < 3; i++) petal(i * 120 - 28, 108, 40);
  brush.fillBleed(0.3);
  brush.fill("#a08a6a", 240);
  for (let i = 0; i < 6; i++) petal(i * 60 + 2, 62, 12);
  // the trumpet
  brush.fillBleed(0.15);
  brush.fill("#94805f", 240);
  shape([[0, 46], [-30, 38], [-46, 10], [-40, -24], [-18, -40], [10, -42], [38, -28], [46, 4], [34, 36]]);
  brush.fillBleed(0.3);
  brush.fill("#8a7a58", 240);
  shape([[0, 26], [-20, 16], [-24, -8], [0, -22], [22, -10], [20, 16]]);
}
