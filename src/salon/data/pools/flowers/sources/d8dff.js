function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(523);
  noLoop();
}

function petal(a, len, w) {
  push();
  rotate(a);
  brush.beginShape(0.4);
  brush.vertex(0, -6);
  brush.vertex(-w * 0.9, -len * 0.65);
  brush.vertex(-w * 0.6, -len * 0.97);
  brush.vertex(-w * 0.15, -len * 0.9);
  brush.vertex(w * 0.25, -len);
  brush.vertex(w * 0.7, -len * 0.92);
  brush.vertex(w * 0.95, -len * 0.62);
  brush.endShape(true);
  pop();
}

function strip(points) {
  brush.beginShape(0.4);
  for (const p of points) brush.vertex(p[0], p[1]);
  brush.endShape(true);
}

function draw() {
  background("#faf5e9");
  translate(0, -48);
  brush.noStroke();
  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.04);
  brush.fill("#7f9a66", 220);
  strip([[2, 122], [-10, 180], [6, 246], [14, 246], [-2, 180], [9, 122]]);
  strip([[-6, 196], [-40, 160], [-80, 152], [-44, 170]]);
  strip([[0, 214], [40, 176], [84, 160], [46, 188]]);
  strip([[2, 232], [-30, 214], [-66, 216], [-30, 224]]);
  brush.fillBleed(0.16);
  brush.fill("#f0a6d6", 190);
  for (let i = 0; i < 8; i++) petal(i * 45, 118, 40);
  brush.fillBleed(0.28);
  brush.fill("#cf3f9b", 170);
  for (let i = 0; i < 8; i++) petal(i * 45 + 3, 72, 18);
  brush.fill("#7e1f66", 160);
  for (let i = 0; i < 8; i++) petal(i * 45, 40, 8);
  brush.fillBleed(0.12);
  brush.fill("#f0b93a", 250);
  brush.circle(0, 0, 17);
  brush.fill("#a8641c", 170);
  brush.circle(3, 3, 9);
}
