function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(166);
  noLoop();
}

function cosmos(x, y, r, turn, squash, pale, rich) {
  push();
  translate(x, y);
  rotate(turn);
  scale(1, squash);
  for (let i = 0; i < 8; i++) {
    push();
    rotate(i * 45);
    brush.fillBleed(0.15);
    brush.fill(pale, 190);
    brush.beginShape(0.4);
    brush.vertex(0, -r * 0.1);
    brush.vertex(-r * 0.32, -r * 0.7);
    brush.vertex(-r * 0.22, -r * 0.97);
    brush.vertex(-r * 0.05, -r * 0.9);
    brush.vertex(r * 0.1, -r);
    brush.vertex(r * 0.28, -r * 0.93);
    brush.vertex(r * 0.32, -r * 0.66);
    brush.endShape(true);
    pop();
  }
  brush.fillBleed(0.35);
  brush.fill(rich, 170);
  brush.circle(0, 0, r * 0.42);
  brush.fillBleed(0.12);
  brush.fill("#f0b429", 250);
  brush.circle(0, 0, r * 0.2);
  pop();
}

function stem(points) {
  brush.beginShape(0.4);
  for (const p of points) brush.vertex(p[0], p[1]);
  brush.endShape(true);
}

function draw() {
  background("#faf5e9");
  translate(-200, -200);
  brush.noStroke();
  brush.fillTexture(0.3, 0.4);
  brush.fillBleed(0.04);
  brush.fill("#86a46e", 220);
  stem([[150, 226], [168, 300], [184, 392], [190, 392], [174, 300], [156, 226]]);
  stem([[286, 300], [250, 350], [210, 394], [217, 394], [255, 352], [291, 303]]);
  stem([[176, 330], [130, 300], [92, 296], [130, 306]]);
  stem([[180, 350], [222, 306], [238, 270], [216, 304]]);
  stem([[182, 366], [140, 352], [106, 362], [140, 360]]);
  cosmos(150, 142, 96, 8, 0.9, "#f4a8c4", "#c63f83");
  cosmos(292, 246, 70, 30, 0.8, "#f8c8d8", "#d65f98");
  brush.fillBleed(0.2);
  brush.fill("#d9588f", 200);
  stem([[300, 92], [288, 108], [294, 126], [308, 126], [314, 106]]);
  brush.fillBleed(0.04);
  brush.fill("#86a46e", 220);
  stem([[298, 126], [304, 126], [282, 180], [278, 178]]);
}
