function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(9);
  noLoop();
}

function petal(a, len, w) {
  push();
  rotate(a);
  brush.beginShape(0.4);
  brush.vertex(0, -30);
  brush.vertex(-w, -len * 0.6);
  brush.vertex(-w * 0.5, -len * 0.85);
  brush.vertex(0, -len);
  brush.vertex(w * 0.6, -len * 0.82);
  brush.vertex(w, -len * 0.55);
  brush.endShape(true);
  pop();
}

function draw() {
  background("#fbf7ee");
  translate(0, -30);
  brush.noStroke();
  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.08);
  brush.wash("#7a9a4e", 255);
  brush.beginShape(0.4);
  brush.vertex(-2, 110);
  brush.vertex(6, 170);
  brush.vertex(-4, 232);
  brush.vertex(8, 232);
  brush.vertex(17, 168);
  brush.vertex(9, 108);
  brush.endShape(true);
  brush.fillBleed(0.2);
  brush.wash("#6a9556", 255);
  brush.beginShape(0.5);
  brush.vertex(14, 190);
  brush.vertex(50, 132);
  brush.vertex(112, 122);
  brush.vertex(100, 170);
  brush.vertex(60, 196);
  brush.endShape(true);

  brush.fillBleed(0.15);
  brush.wash("#f3b82e", 255);
  for (let i = 0; i < 11; i++) petal(i * 32.7 + 16, 122, 20);
  brush.wash("#f8cf45", 255);
  for (let i = 0; i < 11; i++) petal(i * 32.7, 112 + (i % 3) * 6, 19);
  brush.fillBleed(0.3);
  brush.wash("#d87f1e", 255);
  for (let i = 0; i < 11; i++) petal(i * 32.7 + 5, 74, 8);

  brush.fillBleed(0.2);
  brush.wash("#8a5327", 255);
  brush.circle(0, 0, 46);
  brush.fillBleed(0.35);
  brush.wash("#4f2c20", 255);
  brush.circle(4, 6, 30);
  brush.wash("#2f1c1a", 255);
  brush.circle(6, 8, 16);
}
