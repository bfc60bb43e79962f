function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(112);
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
  brush.fillBleed(0.1);
  brush.fill("#7a5c52", 240);
  shape([[30, 392], [100, 330], [190, 272], [204, 280], [112, 342], [48, 396]]);
  shape([[120, 326], [110, 260], [84, 212], [92, 208], [120, 256], [132, 318]]);
  brush.fillBleed(0.2);
  brush.fill("#8fae76", 190);
  shape([[84, 216], [58, 190], [56, 148], [82, 166], [94, 196]]);
  shape([[168, 292], [220, 318], [280, 310], [246, 346], [196, 334]]);

  // cup of petals
  brush.fill("#f6dfe6", 190);
  shape([[204, 270], [150, 210], [148, 128], [188, 74], [218, 140], [222, 220]]);
  shape([[206, 270], [204, 190], [226, 108], [272, 70], [294, 140], [262, 220]]);
  brush.fill("#f2cbd9", 190);
  shape([[204, 276], [138, 250], [96, 196], [100, 130], [150, 166], [190, 226]]);
  shape([[206, 276], [224, 220], [272, 166], [330, 130], [326, 200], [270, 250]]);
  brush.fill("#f9e6ea", 190);
  shape([[206, 282], [168, 240], [170, 160], [208, 104], [248, 162], [246, 240]]);
  // blush running up from the base
  brush.fillBleed(0.4);
  brush.fill("#cf5f95", 190);
  shape([[206, 282], [176, 256], [180, 206], [196, 180], [206, 210], [222, 178], [234, 210], [234, 254]]);
  shape([[200, 276], [160, 256], [122, 216], [130, 196], [172, 226]]);
  shape([[212, 276], [244, 226], [296, 196], [304, 214], [262, 250]]);
}
