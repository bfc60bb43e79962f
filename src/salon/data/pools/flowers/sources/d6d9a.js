function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(203);
  noLoop();
}

function shape(points) {
  brush.beginShape(0.6);
  for (const p of points) brush.vertex(p[0], p[1]);
  brush.endShape(true);
}

function poppy(x, y, s, turn) {
  push();
  translate(x, y);
  rotate(turn);
  scale(s);
  brush.fillBleed(0.22);
  brush.fill("#f6794f", 190);
  shape([[0, 20], [-62, 4], [-84, -46], [-40, -88], [10, -76], [0, -20]]);
  shape([[0, 20], [4, -20], [4, -78], [52, -86], [88, -40], [60, 8]]);
  brush.fill("#e5382b", 190);
  shape([[0, 26], [-50, 36], [-86, 4], [-70, -34], [-20, -14]]);
  shape([[0, 26], [20, -14], [72, -30], [84, 10], [46, 38]]);
  shape([[0, -6], [-42, 14], [-46, 52], [0, 70], [48, 50], [40, 12]]);
  brush.fillBleed(0.35);
  brush.fill("#3b1830", 220);
  shape([[0, -20], [-22, -8], [-20, 14], [0, 22], [22, 12], [20, -10]]);
  brush.fillBleed(0.1);
  brush.fill("#a9bd74", 240);
  brush.circle(0, 0, 9);
  pop();
}

function draw() {
  background("#ffffff");
  translate(-200, -200);
  brush.noStroke();
  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.6);
  brush.fill("#cddcc0", 160);
  brush.circle(200, 330, 90);
  brush.fillBleed(0.05);
  brush.fill("#7b9a5c", 220);
  shape([[146, 204], [160, 290], [182, 394], [189, 394], [168, 290], [153, 204]]);
  shape([[288, 236], [262, 310], [212, 394], [220, 394], [270, 312], [295, 238]]);
  shape([[232, 110], [226, 240], [200, 394], [206, 394], [233, 240], [238, 110]]);
  brush.fillBleed(0.15);
  brush.fill("#8aa868", 210);
  shape([[235, 62], [220, 84], [226, 112], [244, 112], [250, 84]]);
  poppy(140, 152, 1, -8);
  poppy(292, 208, 0.72, 14);
}
