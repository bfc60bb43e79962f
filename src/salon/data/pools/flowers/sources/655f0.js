function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(8);
  noLoop();
}

function shape(points) {
  brush.beginShape(0.5);
  for (const p of points) brush.vertex(p[0], p[1]);
  brush.endShape(true);
}

function draw() {
  background("#f8f4ec");
  translate(-200, -200);
  brush.set("HB", "#6b8a4e", 4);
  brush.spline([[205, 215], [212, 290], [196, 385]], 0.5);
  brush.spline([[90, 175], [100, 260], [150, 385]], 0.5);
  brush.noStroke();
  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.2);
  // bud
  brush.fill("#7d9a5b", 190);
  shape([[90, 180], [72, 200], [78, 230], [96, 236], [108, 212], [104, 190]]);
  brush.fill("#e2573b", 190);
  shape([[82, 226], [88, 248], [98, 232]]);

  // back petals
  brush.fill("#f48a5e", 170);
  shape([[200, 215], [140, 180], [128, 110], [180, 78], [230, 84], [282, 112], [270, 180]]);
  // side petals
  brush.fill("#e8452f", 180);
  shape([[205, 220], [150, 214], [98, 172], [92, 118], [140, 108], [190, 150]]);
  brush.fill("#ee5a3a", 170);
  shape([[205, 220], [262, 214], [310, 168], [312, 116], [262, 104], [218, 150]]);
  // front petal
  brush.fillBleed(0.25);
  brush.fill("#d8302c", 180);
  shape([[205, 228], [150, 212], [128, 172], [160, 146], [208, 152], [258, 142], [282, 176], [258, 214]]);
  // deep shadow at the base
  brush.fillBleed(0.4);
  brush.fill("#8e1830", 170);
  shape([[205, 224], [170, 206], [182, 182], [208, 190], [232, 180], [240, 206]]);
  brush.fill("#2f2438", 220);
  shape([[204, 158], [190, 146], [196, 132], [212, 132], [220, 146]]);

  brush.set("HB", "#2f2438", 2);
  for (let i = 0; i < 12; i++) {
    const a = 200 + i * 13;
    brush.line(205, 142, 205 + 30 * cos(a), 142 + 26 * sin(a));
  }
}
