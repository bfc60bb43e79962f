function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(11);
  noiseSeed(11);
  noLoop();
}

function petal(x, y, a, len, w) {
  push();
  translate(x, y);
  rotate(a);
  brush.beginShape(0.5);
  brush.vertex(0, 0);
  brush.vertex(-w * 0.55, -len * 0.35);
  brush.vertex(-w, -len * 0.75);
  brush.vertex(-w * 0.45, -len);
  brush.vertex(w * 0.1, -len * 0.93);
  brush.vertex(w * 0.6, -len * 1.02);
  brush.vertex(w, -len * 0.7);
  brush.vertex(w * 0.5, -len * 0.3);
  brush.endShape(true);
  pop();
}

function draw() {
  background("#fbf7ee");
  translate(-200, -200);
  brush.noStroke();
  brush.fillTexture(0.5, 0.5);

  // leaves behind
  brush.fillBleed(0.12);
  brush.fill("#7fa06a", 110);
  petal(150, 250, 235, 130, 34);
  brush.fill("#5d8a5a", 110);
  petal(250, 260, 140, 120, 32);

  // five petals: pale pass, then a denser one inside
  const turn = [0, 74, 146, 214, 287];
  const len = [128, 122, 130, 118, 126];
  for (let i = 0; i < 5; i++) {
    brush.fillBleed(0.15);
    brush.fill("#ffb38a", 90);
    petal(200, 195, turn[i], len[i], 58);
  }
  for (let i = 0; i < 5; i++) {
    brush.fillBleed(0.25);
    brush.fill("#f2714f", 80);
    petal(200, 195, turn[i] + 3, len[i] * 0.68, 32);
  }
  // throat
  brush.fillBleed(0.3);
  brush.fill("#b0213c", 120);
  brush.circle(200, 195, 18);

  // stamen
  brush.set("HB", "#c9a227", 1);
  brush.fillBleed(0.05);
  brush.spline([[200, 195], [222, 170], [252, 128]], 0.5);
  brush.noStroke();
  brush.fill("#f0c33c", 200);
  brush.circle(250, 128, 6);
  brush.circle(258, 136, 5);
  brush.circle(243, 136, 4);
  brush.circle(257, 120, 4);
}
