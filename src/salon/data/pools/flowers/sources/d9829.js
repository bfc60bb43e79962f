function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(80);
  noLoop();
}

function shape(points) {
  brush.beginShape(0.6);
  for (const p of points) brush.vertex(p[0], p[1]);
  brush.endShape(true);
}

function draw() {
  background("#ffffff");
  translate(-200, -200);
  brush.noStroke();
  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.05);
  brush.fill("#7b9560", 220);
  shape([[248, 268], [276, 320], [290, 395], [298, 395], [284, 316], [257, 264]]);
  brush.fillBleed(0.14);
  brush.fill("#5d8f63", 190);
  shape([[284, 330], [320, 276], [378, 262], [360, 312], [322, 336]]);
  brush.fill("#83aa6d", 190);
  shape([[282, 350], [230, 330], [176, 350], [210, 382], [258, 376]]);

  // five petals seen from the side, opening to the left
  brush.fillBleed(0.18);
  brush.fill("#f8b8c6", 170);
  shape([[248, 262], [176, 236], [120, 170], [132, 96], [190, 84], [236, 150]]);
  shape([[250, 260], [228, 170], [240, 84], [296, 62], [332, 112], [300, 196]]);
  brush.fill("#f592ab", 170);
  shape([[250, 266], [190, 262], [110, 260], [66, 210], [92, 158], [160, 180]]);
  brush.fill("#f06f95", 170);
  shape([[250, 262], [206, 200], [186, 120], [220, 70], [268, 96], [272, 180]]);
  brush.fill("#f48aa6", 160);
  shape([[252, 262], [272, 190], [322, 140], [356, 160], [344, 220], [296, 258]]);
  brush.fillBleed(0.35);
  brush.fill("#b8245c", 190);
  shape([[250, 260], [204, 224], [186, 180], [214, 178], [240, 214]]);
  shape([[252, 258], [250, 210], [266, 164], [282, 190], [272, 226]]);
  brush.fill("#d0447a", 160);
  shape([[248, 262], [196, 246], [146, 222], [168, 210], [220, 232]]);
  // green calyx
  brush.fillBleed(0.12);
  brush.fill("#6c9457", 230);
  shape([[238, 244], [232, 266], [252, 282], [270, 266], [268, 242], [252, 256]]);
  // stamen
  brush.fillBleed(0.05);
  brush.fill("#f0a860", 240);
  shape([[232, 214], [196, 160], [146, 122], [142, 128], [190, 168], [226, 218]]);
  brush.fill("#eeb92f", 250);
  for (const p of [[140, 120], [132, 128], [150, 112], [158, 126], [148, 136]]) brush.circle(p[0], p[1], 5);
}
