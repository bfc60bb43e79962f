function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(158);
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
  background("#fbf7ee");
  translate(4, 0);
  brush.noStroke();
  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.14);
  brush.fill("#7ea57a", 190);
  leaf(76, 56, 122, 104, 28);
  brush.fill("#56876c", 190);
  leaf(-74, 60, 236, 104, 28);
  brush.fill("#98b67e", 180);
  leaf(-30, -100, 330, 78, 22);
  push();
  rotate(8);
  scale(1, 0.92);
  const turn = [0, 70, 144, 216, 288];
  brush.fillBleed(0.18);
  brush.fill("#a9c8f2", 200);
  for (let i = 0; i < 5; i++) petal(turn[i], 126, 60);
  brush.fillBleed(0.28);
  brush.fill("#5b86d8", 180);
  for (let i = 0; i < 5; i++) petal(turn[i] + 4, 88, 34);
  brush.fillBleed(0.4);
  brush.fill("#7a2a78", 200);
  for (let i = 0; i < 5; i++) petal(turn[i], 44, 14);
  pop();
  brush.fillBleed(0.05);
  brush.fill("#f5e3a0", 255);
  petal(28, 92, 5);
  brush.fill("#efb93d", 255);
  for (let i = 0; i < 6; i++) brush.circle(44 + 11 * cos(i * 60), -80 + 11 * sin(i * 60), 4);
}
