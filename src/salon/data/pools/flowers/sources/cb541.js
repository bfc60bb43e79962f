function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(120);
  noLoop();
}

function flower(x, y, r, turn, tint) {
  push();
  translate(x, y);
  rotate(turn);
  brush.fillBleed(0.2);
  brush.fill(tint, 190);
  for (let i = 0; i < 5; i++) {
    rotate(72);
    brush.beginShape(0.6);
    brush.vertex(0, 0);
    brush.vertex(-r * 0.5, -r * 0.55);
    brush.vertex(-r * 0.2, -r);
    brush.vertex(r * 0.25, -r);
    brush.vertex(r * 0.5, -r * 0.5);
    brush.endShape(true);
  }
  brush.fillBleed(0.1);
  brush.fill("#f3c33e", 250);
  brush.circle(0, 0, r * 0.2);
  pop();
}

function blade(points) {
  brush.beginShape(0.4);
  for (const p of points) brush.vertex(p[0], p[1]);
  brush.endShape(true);
}

function draw() {
  background("#ffffff");
  translate(-200, -200);
  brush.noStroke();
  brush.fillTexture(0.3, 0.4);
  brush.fillBleed(0.05);
  brush.fill("#86a56d", 220);
  blade([[196, 392], [188, 300], [140, 210], [134, 214], [180, 302], [188, 392]]);
  blade([[200, 392], [214, 290], [212, 180], [218, 180], [222, 290], [208, 392]]);
  blade([[206, 392], [240, 310], [286, 236], [291, 240], [248, 312], [214, 392]]);
  brush.fillBleed(0.15);
  brush.fill("#5f9470", 190);
  blade([[196, 388], [150, 340], [92, 320], [112, 360], [150, 384]]);
  blade([[206, 388], [250, 344], [314, 330], [296, 366], [250, 388]]);
  flower(128, 190, 40, 12, "#7fb0ea");
  flower(86, 240, 28, 50, "#a9c8f2");
  flower(212, 138, 48, 30, "#5f95e0");
  flower(168, 92, 30, 5, "#9fb4ee");
  flower(298, 214, 42, 60, "#7aa4e6");
  flower(266, 108, 32, 22, "#8fbdf0");
  brush.fillBleed(0.2);
  brush.fill("#d99bd0", 200);
  brush.circle(326, 152, 9);
  brush.circle(112, 130, 8);
}
