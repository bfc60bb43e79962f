function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(5);
  noLoop();
}

function shape(points) {
  brush.beginShape(0.5);
  for (const p of points) brush.vertex(p[0], p[1]);
  brush.endShape(true);
}

function draw() {
  background("#fbf7ee");
  translate(-200, -200);
  brush.noStroke();
  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.1);
  // blades and stem
  brush.fill("#6f9a72", 190);
  shape([[150, 398], [138, 300], [112, 210], [150, 290], [172, 398]]);
  brush.fill("#4d8468", 190);
  shape([[228, 398], [256, 300], [300, 235], [278, 310], [252, 398]]);
  brush.fill("#7ba56c", 190);
  shape([[192, 398], [196, 240], [206, 240], [208, 398]]);

  // standards
  brush.fillBleed(0.18);
  brush.fill("#b49be0", 170);
  shape([[204, 222], [158, 168], [132, 108], [152, 62], [190, 46], [216, 100], [212, 160]]);
  brush.fill("#9f86d8", 170);
  shape([[198, 222], [192, 150], [206, 78], [240, 50], [272, 84], [268, 140], [240, 190]]);
  brush.fillBleed(0.3);
  brush.fill("#6f4fb6", 150);
  shape([[202, 218], [176, 168], [186, 118], [204, 160], [226, 112], [232, 166]]);
  brush.fillBleed(0.18);
  // falls
  brush.fill("#7a55c4", 190);
  shape([[198, 200], [150, 186], [96, 200], [74, 250], [100, 284], [138, 262], [176, 222]]);
  brush.fill("#6b47b8", 190);
  shape([[204, 200], [252, 184], [304, 196], [330, 240], [308, 278], [268, 258], [226, 220]]);
  brush.fillBleed(0.25);
  brush.fill("#5d3bad", 200);
  shape([[200, 200], [172, 232], [162, 284], [188, 318], [220, 306], [236, 262], [224, 224]]);
  // dark veils and golden beards
  brush.fillBleed(0.35);
  brush.fill("#3b2382", 170);
  shape([[190, 208], [150, 216], [112, 236], [106, 262], [140, 244]]);
  shape([[212, 208], [252, 212], [292, 230], [298, 256], [262, 238]]);
  shape([[200, 226], [188, 258], [194, 292], [212, 284], [214, 250]]);
  brush.fill("#f2b632", 230);
  shape([[192, 204], [160, 212], [140, 224], [164, 222]]);
  shape([[210, 204], [242, 208], [262, 220], [240, 218]]);
  shape([[200, 214], [195, 240], [202, 258], [208, 238]]);
}
