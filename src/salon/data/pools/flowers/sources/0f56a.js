function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(211);
  noLoop();
}

function shape(points) {
  brush.beginShape(0.6);
  for (const p of points) brush.vertex(p[0], p[1]);
  brush.endShape(true);
}

function rose(x, y, s, turn) {
  push();
  translate(x, y);
  rotate(turn);
  scale(s);
  brush.fillBleed(0.2);
  brush.fill("#f9c9d0", 190);
  shape([[0, 70], [-66, 50], [-88, -10], [-62, -62], [-20, -20]]);
  shape([[0, 70], [66, 52], [88, -8], [64, -62], [22, -20]]);
  shape([[-66, -30], [-40, -78], [4, -90], [46, -76], [66, -26], [0, 6]]);
  brush.fill("#f0a0b0", 180);
  shape([[0, 72], [-58, 40], [-62, -12], [-10, 6], [34, -4], [62, -14], [56, 42]]);
  brush.fill("#e07f98", 180);
  shape([[-40, -26], [-10, -56], [30, -48], [42, -14], [8, 12], [-26, 6]]);
  brush.fillBleed(0.35);
  brush.fill("#b8446e", 190);
  shape([[-16, -22], [4, -38], [22, -22], [8, -4]]);
  pop();
}

function draw() {
  background("#f8f4ec");
  translate(-200, -200);
  brush.noStroke();
  brush.fillTexture(0.35, 0.45);
  brush.fillBleed(0.05);
  brush.fill("#85a06a", 220);
  shape([[160, 228], [180, 300], [196, 392], [204, 392], [188, 298], [168, 228]]);
  shape([[288, 236], [252, 310], [204, 380], [210, 384], [260, 314], [294, 240]]);
  brush.fillBleed(0.15);
  brush.fill("#628f66", 200);
  shape([[182, 310], [140, 276], [86, 286], [110, 322], [150, 328]]);
  brush.fill("#84aa74", 190);
  shape([[250, 316], [290, 300], [342, 314], [312, 348], [270, 342]]);
  shape([[196, 360], [160, 348], [122, 366], [156, 384]]);
  rose(158, 152, 1.08, -6);
  rose(298, 190, 0.6, 14);
}
