function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(12);
  noLoop();
}

function shape(points) {
  brush.beginShape(0.6);
  for (const p of points) brush.vertex(p[0], p[1]);
  brush.endShape(true);
}

function draw() {
  background("#faf5e9");
  brush.noStroke();
  brush.fillTexture(0.35, 0.45);
  brush.fillBleed(0.12);
  brush.fill("#86ab70", 190);
  shape([[-70, 60], [-120, 70], [-150, 120], [-120, 140], [-80, 110]]);
  brush.fill("#5f8f62", 190);
  shape([[60, 80], [110, 84], [140, 130], [112, 146], [72, 120]]);

  // two upper petals, dark
  brush.fillBleed(0.2);
  brush.fill("#6a3fa0", 190);
  shape([[-6, -8], [-70, -20], [-104, -72], [-80, -126], [-26, -128], [4, -80]]);
  brush.fill("#5b3596", 190);
  shape([[6, -8], [-2, -90], [30, -134], [86, -120], [108, -66], [70, -18]]);
  // two side petals, lilac
  brush.fill("#a77fd6", 180);
  shape([[-2, 0], [-50, -52], [-110, -40], [-134, 14], [-100, 56], [-44, 42]]);
  brush.fill("#9d73d0", 180);
  shape([[2, 0], [50, -50], [112, -36], [132, 20], [98, 58], [44, 42]]);
  // lower petal, yellow
  brush.fill("#f4cf55", 190);
  shape([[0, -6], [-54, 34], [-76, 88], [-44, 132], [4, 124], [48, 134], [78, 86], [52, 32]]);
  // the dark face
  brush.fillBleed(0.4);
  brush.fill("#3a1a5e", 200);
  shape([[-6, 2], [-40, -22], [-78, -14], [-74, 20], [-38, 22]]);
  shape([[6, 2], [40, -20], [78, -12], [74, 22], [38, 22]]);
  shape([[0, 8], [-32, 40], [-36, 76], [-8, 66], [0, 84], [12, 64], [38, 74], [32, 38]]);
  brush.fillBleed(0.1);
  brush.fill("#f7b21f", 250);
  shape([[0, -6], [-12, 6], [0, 18], [12, 6]]);
}
