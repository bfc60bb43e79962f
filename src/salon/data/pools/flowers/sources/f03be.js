function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(512);
  noLoop();
}

function petal(a, r, w, h) {
  push();
  rotate(a);
  translate(0, -r);
  brush.beginShape(0.6);
  brush.vertex(-w * 0.4, h * 0.6);
  brush.vertex(-w, 0);
  brush.vertex(-w * 0.6, -h * 0.6);
  brush.vertex(0, -h * 0.5);
  brush.vertex(w * 0.5, -h * 0.66);
  brush.vertex(w, -h * 0.1);
  brush.vertex(w * 0.4, h * 0.6);
  brush.endShape(true);
  pop();
}

function strip(points) {
  brush.beginShape(0.5);
  for (const p of points) brush.vertex(p[0], p[1]);
  brush.endShape(true);
}

function draw() {
  background("#ffffff");
  translate(0, -42);
  brush.noStroke();
  brush.fillTexture(0.35, 0.45);
  brush.fillBleed(0.04);
  brush.fill("#7a9461", 220);
  strip([[-6, 112], [4, 170], [-8, 240], [1, 240], [13, 170], [4, 112]]);
  brush.fillBleed(0.15);
  brush.fill("#557f5e", 190);
  strip([[6, 196], [-34, 140], [-108, 132], [-92, 176], [-44, 202]]);
  brush.fill("#7da26b", 190);
  strip([[10, 180], [48, 128], [122, 130], [96, 176], [48, 196]]);
  brush.fillBleed(0.2);
  brush.fill("#f2a0aa", 180);
  for (let i = 0; i < 7; i++) petal(i * 51, 68, 48, 58);
  brush.fill("#de5a6e", 170);
  for (let i = 0; i < 6; i++) petal(i * 60 + 20, 44, 38, 46);
  brush.fill("#c42a46", 170);
  for (let i = 0; i < 5; i++) petal(i * 72 + 8, 24, 25, 32);
  brush.fillBleed(0.35);
  brush.fill("#861030", 190);
  for (let i = 0; i < 3; i++) petal(i * 120 + 30, 10, 13, 18);
}
