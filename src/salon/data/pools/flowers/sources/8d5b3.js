function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(33);
  noLoop();
}

function petal(a, len, w) {
  push();
  rotate(a);
  brush.beginShape(0.5);
  brush.vertex(0, 6);
  brush.vertex(-w * 0.8, -len * 0.3);
  brush.vertex(-w, -len * 0.6);
  brush.vertex(0, -len);
  brush.vertex(w, -len * 0.6);
  brush.vertex(w * 0.8, -len * 0.3);
  brush.endShape(true);
  pop();
}

function draw() {
  background("#ffffff");
  translate(0, 60);
  brush.noStroke();
  brush.fillTexture(0, 0);
  // water and pads
  brush.fillBleed(0.5);
  brush.fill("#00ff3c", 255);
  brush.beginShape(0.5);
  brush.vertex(-165, 40);
  brush.vertex(0, 18);
  brush.vertex(165, 44);
  brush.vertex(90, 84);
  brush.vertex(-90, 86);
  brush.endShape(true);
  brush.fillBleed(0.15);
  brush.fill("#00e5ff", 255);
  brush.beginShape(0.5);
  brush.vertex(-140, 44);
  brush.vertex(-70, 22);
  brush.vertex(-6, 40);
  brush.vertex(-60, 70);
  brush.endShape(true);
  brush.fill("#00ff3c", 255);
  brush.beginShape(0.5);
  brush.vertex(40, 46);
  brush.vertex(96, 28);
  brush.vertex(148, 52);
  brush.vertex(90, 74);
  brush.endShape(true);

  brush.fillBleed(0.15);
  brush.fill("#00e5ff", 255);
  for (const a of [-40, -14, 14, 40]) petal(a, 180, 34);
  brush.fill("#5500ff", 255);
  for (const a of [-72, -52, 52, 72]) petal(a, 146, 27);
  brush.fill("#5500ff", 255);
  for (const a of [-26, 26, 0]) petal(a, 146, 34);
  brush.fillBleed(0.3);
  brush.fill("#00ff3c", 255);
  for (const a of [-60, -28, 0, 28, 60]) petal(a, 86, 17);
  brush.fillBleed(0.3);
  brush.fill("#ffe600", 255);
  petal(0, 40, 16);
}
