function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(3);
  noLoop();
}

function sprig(x, y, a, n) {
  push();
  translate(x, y);
  rotate(a);
  brush.fillBleed(0.04);
  brush.fill("#7c9a6a", 220);
  brush.beginShape(0.3);
  brush.vertex(-3, 0);
  brush.vertex(-1, -n * 26 - 40);
  brush.vertex(2, -n * 26 - 40);
  brush.vertex(3, 0);
  brush.endShape(true);
  brush.fillBleed(0.3);
  for (let i = 0; i < n; i++) {
    brush.fill(i % 2 ? "#8a6cc8" : "#a68adb", 200);
    const w = 22 - i * 1.7;
    const top = -110 - i * 20;
    brush.beginShape(0.6);
    brush.vertex(0, top + 10);
    brush.vertex(-w, top);
    brush.vertex(-w * 0.6, top - 14);
    brush.vertex(0, top - 6);
    brush.vertex(w * 0.7, top - 15);
    brush.vertex(w, top + 1);
    brush.endShape(true);
  }
  pop();
}

function draw() {
  background("#ffffff");
  translate(0, 185);
  brush.noStroke();
  brush.fillTexture(0.3, 0.4);
  brush.fillBleed(0.6);
  brush.fill("#e5dcf2", 110);
  brush.circle(0, -220, 110);
  sprig(-6, 0, -20, 9);
  sprig(8, 0, 16, 9);
  sprig(0, 0, -2, 11);
}
