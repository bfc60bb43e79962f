function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(321);
  noLoop();
}

function petal(a, len, w) {
  push();
  rotate(a);
  brush.beginShape(0.6);
  brush.vertex(0, 4);
  brush.vertex(-w * 0.45, -len * 0.34);
  brush.vertex(-w, -len * 0.7);
  brush.vertex(-w * 0.6, -len * 0.96);
  brush.vertex(-w * 0.05, -len * 0.94);
  brush.vertex(w * 0.5, -len);
  brush.vertex(w, -len * 0.7);
  brush.vertex(w * 0.45, -len * 0.3);
  brush.endShape(true);
  pop();
}

function leaf(x, y, a, len, w) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
  brush.vertex(0, 0);
  brush.vertex(-w, -len * 0.38);
  brush.vertex(-w * 0.5, -len * 0.78);
  brush.vertex(0, -len);
  brush.vertex(w * 0.7, -len * 0.62);
  brush.vertex(w * 0.9, -len * 0.3);
  brush.endShape(true);
  pop();
}

function draw() {
  background("#f8f4ec");
  scale(-1, 1);
  brush.noStroke();
  brush.fillTexture(0.4, 0.2);
  brush.fillBleed(0.6);
  brush.fill("#cfe3e2", 140);
  brush.circle(30, -20, 120);
  brush.fillTexture(0.3, 0.45);
  brush.fillBleed(0.14);
  brush.fill("#4c8a60", 200);
  leaf(-72, 66, 226, 110, 32);
  brush.fill("#7aa562", 200);
  leaf(72, 72, 142, 116, 32);
  brush.fill("#3c7560", 190);
  leaf(-94, -20, 282, 90, 24);
  brush.fillBleed(0.16);
  const turn = [4, 76, 147, 219, 290];
  brush.fill("#faea86", 200);
  for (let i = 0; i < 5; i++) petal(turn[i], 128 - (i % 2) * 6, 62);
  brush.fillBleed(0.25);
  brush.fill("#f0c933", 200);
  for (let i = 0; i < 5; i++) petal(turn[i] - 3, 92, 38);
  brush.fillBleed(0.4);
  brush.fill("#b3382c", 210);
  for (let i = 0; i < 5; i++) petal(turn[i], 50, 16);
  brush.fillBleed(0.05);
  brush.fill("#e98f3a", 255);
  petal(-32, 96, 5);
  for (let i = 0; i < 7; i++) brush.circle(-58 + 12 * cos(i * 52), -84 + 12 * sin(i * 52), 4);
}
