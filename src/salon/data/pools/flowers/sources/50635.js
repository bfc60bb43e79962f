function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(64);
  noLoop();
}

function petal(a, len, w) {
  push();
  rotate(a);
  brush.beginShape(0.6);
  brush.vertex(0, 5);
  brush.vertex(-w * 0.4, -len * 0.3);
  brush.vertex(-w, -len * 0.68);
  brush.vertex(-w * 0.66, -len * 0.95);
  brush.vertex(0, -len * 1.02);
  brush.vertex(w * 0.7, -len * 0.92);
  brush.vertex(w, -len * 0.64);
  brush.vertex(w * 0.4, -len * 0.28);
  brush.endShape(true);
  pop();
}

function leaf(x, y, a, len) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
  brush.vertex(0, 0);
  brush.vertex(-26, -len * 0.35);
  brush.vertex(-14, -len * 0.78);
  brush.vertex(0, -len);
  brush.vertex(20, -len * 0.62);
  brush.vertex(24, -len * 0.28);
  brush.endShape(true);
  pop();
}

function draw() {
  background("#fbf7ee");
  brush.noStroke();
  // cool wash, dropped in wet
  brush.fillTexture(0.4, 0.2);
  brush.fillBleed(0.6);
  brush.fill("#cfe0ea", 150);
  brush.circle(-40, 40, 110);
  brush.fill("#e6e3c2", 120);
  brush.circle(70, -50, 80);

  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.14);
  brush.fill("#71a087", 180);
  leaf(82, 62, 118, 100);
  brush.fill("#86ab78", 180);
  leaf(-88, 50, 244, 100);
  brush.fill("#4f7f6b", 180);
  leaf(30, 98, 166, 88);

  translate(0, -14);
  scale(1.02, 0.94);
  const turn = [6, 78, 150, 222, 294];
  brush.fillBleed(0.18);
  brush.fill("#cfaaf0", 210);
  for (let i = 0; i < 5; i++) petal(turn[i], 126, 58);
  brush.fillBleed(0.28);
  brush.fill("#9a64cf", 180);
  for (let i = 0; i < 5; i++) petal(turn[i] + 5, 88, 34);
  brush.fillBleed(0.4);
  brush.fill("#7a1f6a", 200);
  for (let i = 0; i < 5; i++) petal(turn[i], 44, 14);

  brush.fillBleed(0.06);
  brush.fill("#f3e2a8", 240);
  brush.beginShape(0.5);
  brush.vertex(-3, 0);
  brush.vertex(14, -40);
  brush.vertex(38, -72);
  brush.vertex(43, -68);
  brush.vertex(20, -36);
  brush.vertex(4, 2);
  brush.endShape(true);
  brush.fill("#efb63c", 250);
  brush.circle(44, -76, 6);
  brush.circle(36, -80, 4);
  brush.circle(51, -70, 4);
  brush.circle(34, -62, 4);
}
