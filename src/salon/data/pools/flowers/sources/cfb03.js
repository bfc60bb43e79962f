function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(41);
  noLoop();
}

function shape(points) {
  brush.beginShape(0.6);
  for (const p of points) brush.vertex(p[0], p[1]);
  brush.endShape(true);
}

function draw() {
  background("#fbf7ee");
  translate(0, -40);
  brush.noStroke();
  brush.fillTexture(0.35, 0.45);
  brush.fillBleed(0.06);
  brush.fill("#7d9a5e", 220);
  shape([[-3, 100], [6, 160], [-4, 236], [4, 236], [14, 160], [6, 100]]);
  brush.fillBleed(0.14);
  brush.fill("#5f8f62", 190);
  shape([[4, 190], [-30, 150], [-92, 140], [-80, 180], [-40, 198]]);
  brush.fill("#7ea56c", 190);
  shape([[8, 170], [40, 128], [104, 124], [84, 168], [46, 182]]);

  brush.fillBleed(0.18);
  brush.fill("#f9ae97", 160);
  shape([[0, 110], [-84, 84], [-122, 14], [-96, -60], [-40, -30], [-20, 60]]);
  shape([[0, 110], [84, 84], [122, 10], [98, -62], [40, -34], [20, 60]]);
  brush.fill("#f7967f", 160);
  shape([[-90, -20], [-60, -92], [6, -112], [72, -88], [90, -16], [0, 20]]);
  brush.fill("#f27d6b", 170);
  shape([[0, 106], [-70, 60], [-80, -10], [-20, 12], [40, -4], [80, -14], [70, 62]]);
  brush.fillBleed(0.25);
  brush.fill("#e4584f", 170);
  shape([[-58, -34], [-16, -74], [40, -66], [60, -22], [18, 18], [-34, 12]]);
  brush.fill("#cf3d48", 170);
  shape([[-30, -26], [-2, -52], [34, -36], [30, -4], [-4, 8]]);
  brush.fillBleed(0.4);
  brush.fill("#9d2140", 200);
  shape([[-12, -22], [6, -36], [20, -20], [8, -6]]);
  brush.fill("#d2514c", 140);
  shape([[-80, 0], [-40, 18], [20, 14], [76, -4], [30, 36], [-40, 40]]);
}
