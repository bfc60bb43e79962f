function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(21);
  noLoop();
}

function petal(a, len, w) {
  push();
  rotate(a);
  brush.beginShape(0.5);
  brush.vertex(0, 6);
  brush.vertex(-w * 0.45, -len * 0.4);
  brush.vertex(-w * 0.95, -len * 0.78);
  brush.vertex(-w * 0.3, -len);
  brush.vertex(w * 0.35, -len * 0.94);
  brush.vertex(w, -len * 0.74);
  brush.vertex(w * 0.55, -len * 0.3);
  brush.endShape(true);
  pop();
}

function leaf(x, y, a, len, w) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
  brush.vertex(0, 0);
  brush.vertex(-w, -len * 0.35);
  brush.vertex(-w * 0.5, -len * 0.75);
  brush.vertex(0, -len);
  brush.vertex(w * 0.7, -len * 0.6);
  brush.vertex(w * 0.8, -len * 0.25);
  brush.endShape(true);
  pop();
}

function draw() {
  background("#ffffff");
  translate(15, -25);
  // stem and leaves
  brush.noStroke();
  brush.fillTexture(0.3, 0.4);
  brush.fillBleed(0.05);
  brush.wash("#6f8f52", 255);
  brush.beginShape(0.4);
  brush.vertex(-16, 96);
  brush.vertex(-34, 150);
  brush.vertex(-66, 215);
  brush.vertex(-58, 218);
  brush.vertex(-27, 153);
  brush.vertex(-8, 98);
  brush.endShape(true);
  brush.fillBleed(0.15);
  brush.wash("#79a06a", 255);
  leaf(-25, 140, 75, 125, 32);
  brush.wash("#3f7a58", 255);
  leaf(-42, 160, 285, 110, 30);

  // three-quarter view: the whole flower tilted
  push();
  rotate(-18);
  scale(1, 0.82);
  const turn = [0, 72, 144, 216, 290];
  brush.fillBleed(0.14);
  brush.wash("#f0525a", 255);
  for (let i = 0; i < 5; i++) petal(turn[i], 128, 60);
  brush.fillBleed(0.3);
  brush.wash("#c8203f", 255);
  for (let i = 0; i < 5; i++) petal(turn[i] - 5, 86, 32);
  brush.wash("#6d1237", 255);
  for (let i = 0; i < 5; i++) petal(turn[i], 42, 14);
  pop();

  brush.set("HB", "#f0b340", 3);
  brush.spline([[-14, -14], [-36, -32], [-70, -52]], 0.5);
  brush.noStroke();
  brush.fillBleed(0.1);
  brush.wash("#f6c344", 255);
  brush.circle(-72, -54, 6);
  brush.circle(-64, -62, 5);
  brush.circle(-58, -44, 5);
  brush.circle(-80, -46, 4);
  brush.circle(-50, -54, 4);
}
