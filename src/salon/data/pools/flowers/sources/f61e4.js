function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(377);
  noLoop();
}

function shape(points) {
  brush.beginShape(0.5);
  for (const p of points) brush.vertex(p[0], p[1]);
  brush.endShape(true);
}

function draw() {
  background("#faf5e9");
  translate(-200, -200);
  brush.noStroke();
  brush.fillTexture(0.3, 0.4);
  brush.fillBleed(0.6);
  brush.fill("#d4e2ea", 110);
  brush.circle(210, 150, 110);
  brush.fillBleed(0.06);
  brush.fill("#80a463", 220);
  shape([[196, 215], [204, 300], [192, 392], [203, 392], [215, 300], [206, 215]]);
  brush.fillBleed(0.12);
  brush.fill("#5c9068", 190);
  shape([[190, 388], [140, 330], [112, 220], [150, 270], [178, 320], [200, 388]]);
  brush.fill("#77a56b", 190);
  shape([[204, 388], [236, 310], [292, 236], [284, 300], [250, 350], [214, 390]]);

  brush.fillBleed(0.15);
  brush.fill("#fae684", 180);
  shape([[200, 225], [152, 190], [150, 110], [182, 52], [206, 110]]);
  shape([[202, 225], [198, 110], [226, 50], [256, 112], [248, 190]]);
  brush.fillBleed(0.2);
  brush.fill("#f2cc3c", 190);
  shape([[198, 228], [140, 210], [122, 150], [134, 84], [172, 128], [196, 180]]);
  brush.fill("#f4d24a", 190);
  shape([[204, 228], [208, 180], [236, 128], [270, 86], [284, 150], [262, 208]]);
  brush.fill("#f7da5a", 180);
  shape([[200, 232], [164, 206], [160, 142], [200, 86], [242, 144], [238, 206]]);
  brush.fillBleed(0.4);
  brush.fill("#d2802a", 150);
  shape([[200, 230], [174, 206], [182, 168], [200, 150], [216, 172], [226, 206]]);
  brush.fill("#a8b84e", 140);
  shape([[200, 230], [178, 220], [186, 206], [214, 206], [222, 220]]);
}
