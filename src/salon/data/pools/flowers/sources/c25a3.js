function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(181);
  noLoop();
}

function shape(points) {
  brush.beginShape(0.5);
  for (const p of points) brush.vertex(p[0], p[1]);
  brush.endShape(true);
}

function crocus(x, y, s, turn) {
  push();
  translate(x, y);
  rotate(turn);
  scale(s);
  brush.fillBleed(0.05);
  brush.fill("#c9d3b0", 220);
  shape([[-5, 0], [-4, 120], [5, 120], [6, 0]]);
  brush.fillBleed(0.15);
  brush.fill("#b79be6", 190);
  shape([[0, 10], [-44, -30], [-48, -90], [-24, -130], [-2, -80]]);
  shape([[0, 10], [4, -80], [28, -132], [52, -88], [44, -28]]);
  brush.fill("#8a66d0", 190);
  shape([[0, 14], [-32, -20], [-34, -80], [0, -124], [34, -78], [34, -18]]);
  brush.fillBleed(0.4);
  brush.fill("#5b34a6", 190);
  shape([[0, 12], [-18, -10], [-14, -50], [0, -80], [14, -48], [18, -8]]);
  brush.fillBleed(0.1);
  brush.fill("#f29a2a", 250);
  shape([[-2, -96], [-8, -128], [0, -146], [8, -126], [3, -96]]);
  pop();
}

function draw() {
  background("#ffffff");
  translate(-200, -200);
  brush.noStroke();
  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.5);
  brush.fill("#d5dfc0", 160);
  brush.circle(200, 340, 70);
  brush.fillBleed(0.08);
  brush.fill("#5f8f62", 210);
  shape([[168, 380], [130, 280], [104, 190], [114, 280], [156, 384]]);
  shape([[236, 380], [274, 290], [306, 206], [292, 296], [248, 384]]);
  brush.fill("#7ca66f", 200);
  shape([[206, 384], [236, 300], [240, 226], [250, 304], [218, 384]]);
  crocus(160, 214, 0.95, -8);
  crocus(268, 262, 0.7, 12);
}
