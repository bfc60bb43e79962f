function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(545);
  noLoop();
}

function petal(a, len, w, bend) {
  push();
  rotate(a);
  brush.beginShape(0.5);
  brush.vertex(0, 4);
  brush.vertex(-w * 0.6, -len * 0.3);
  brush.vertex(-w + bend * 0.4, -len * 0.6);
  brush.vertex(bend, -len);
  brush.vertex(w + bend * 0.4, -len * 0.56);
  brush.vertex(w * 0.6, -len * 0.26);
  brush.endShape(true);
  pop();
}

function strip(points) {
  brush.beginShape(0.5);
  for (const p of points) brush.vertex(p[0], p[1]);
  brush.endShape(true);
}

function draw() {
  background("#fbf7ee");
  translate(0, -36);
  brush.noStroke();
  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.04);
  brush.fill("#7c9862", 220);
  strip([[30, 112], [22, 170], [34, 236], [42, 236], [31, 170], [38, 112]]);
  brush.fillBleed(0.14);
  brush.fill("#54805f", 200);
  strip([[26, 214], [-20, 150], [-96, 118], [-60, 176], [-10, 216]]);
  brush.fill("#7ba36c", 200);
  strip([[34, 200], [78, 140], [136, 122], [110, 172], [66, 208]]);
  brush.fillBleed(0.16);
  brush.fill("#d3bdf0", 200);
  for (let i = 0; i < 3; i++) petal(i * 120 + 60, 128, 31, 12);
  brush.fill("#b08fe0", 190);
  for (let i = 0; i < 3; i++) petal(i * 120, 134, 36, -12);
  brush.fillBleed(0.28);
  brush.fill("#6a3fb0", 170);
  for (let i = 0; i < 6; i++) petal(i * 60 + 2, 84, 12, 0);
  brush.fill("#d8dc8c", 220);
  brush.circle(0, 0, 13);
  brush.fillBleed(0.05);
  brush.fill("#b36a1e", 250);
  for (let i = 0; i < 6; i++) {
    petal(i * 60 + 30, 52, 1.6, 0);
    brush.circle(54 * sin(i * 60 + 30), -54 * cos(i * 60 + 30), 5);
  }
}
