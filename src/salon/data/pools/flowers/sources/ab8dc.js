function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(2);
  noLoop();
}

function petal(a, len, w) {
  push();
  rotate(a);
  brush.beginShape(0.4);
  brush.vertex(0, -16);
  brush.vertex(-w * 0.8, -len * 0.55);
  brush.vertex(-w * 0.5, -len * 0.95);
  brush.vertex(w * 0.4, -len);
  brush.vertex(w, -len * 0.6);
  brush.endShape(true);
  pop();
}

function draw() {
  background("#fbf7ee");
  brush.noStroke();
  // blue-green wash so that the white petals show
  brush.fillTexture(0.4, 0.3);
  brush.fillBleed(0.45);
  brush.fill("#8fb9c9", 200);
  brush.circle(0, -20, 130);
  brush.fill("#a7c6a0", 160);
  brush.circle(40, 60, 90);

  brush.fillBleed(0.05);
  brush.fill("#5f8a52", 230);
  brush.beginShape(0.4);
  brush.vertex(-3, 60);
  brush.vertex(10, 130);
  brush.vertex(2, 200);
  brush.vertex(9, 200);
  brush.vertex(17, 128);
  brush.vertex(5, 60);
  brush.endShape(true);
  translate(0, -25);
  brush.fillTexture(0.2, 0.3);
  brush.fillBleed(0.08);
  brush.noFill();
  brush.wash("#fbf7ee", 255);
  for (let i = 0; i < 14; i++) petal(i * 25.7, 100 + (i % 3) * 6, 15);
  brush.noWash();
  brush.fill("#b4b9d8", 150);
  for (let i = 0; i < 14; i++) petal(i * 25.7 + 4, 60 + (i % 3) * 10, 7);
  brush.fillBleed(0.15);
  brush.fill("#f2b92f", 240);
  brush.circle(0, 0, 24);
  brush.fillBleed(0.3);
  brush.fill("#b8701c", 190);
  brush.circle(6, 6, 14);
}
