function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(90);
  noLoop();
}

function floret(x, y, r, turn) {
  push();
  translate(x, y);
  rotate(turn);
  for (let i = 0; i < 4; i++) {
    rotate(90);
    brush.beginShape(0.6);
    brush.vertex(0, 0);
    brush.vertex(-r * 0.5, -r * 0.5);
    brush.vertex(0, -r);
    brush.vertex(r * 0.5, -r * 0.5);
    brush.endShape(true);
  }
  pop();
}

function draw() {
  background("#fbf7ee");
  translate(120, 150);
  translate(0, -30);
  brush.noStroke();
  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.06);
  brush.fill("#7f9a68", 220);
  brush.beginShape(0.4);
  brush.vertex(-4, 100);
  brush.vertex(2, 170);
  brush.vertex(-6, 232);
  brush.vertex(4, 232);
  brush.vertex(11, 170);
  brush.vertex(5, 100);
  brush.endShape(true);
  brush.fillBleed(0.15);
  brush.fill("#5c9069", 190);
  brush.beginShape(0.5);
  brush.vertex(-4, 150);
  brush.vertex(-60, 96);
  brush.vertex(-142, 104);
  brush.vertex(-120, 156);
  brush.vertex(-60, 176);
  brush.endShape(true);
  brush.fill("#79a870", 190);
  brush.beginShape(0.5);
  brush.vertex(8, 160);
  brush.vertex(60, 100);
  brush.vertex(140, 96);
  brush.vertex(124, 154);
  brush.vertex(60, 184);
  brush.endShape(true);
  // soft mass of the head
  brush.fillBleed(0.4);
  brush.fill("#b8c8f0", 170);
  brush.circle(0, 0, 100);
  // florets
  brush.fillBleed(0.2);
  const tint = ["#7f9be6", "#9a8fe0", "#6f8ad8", "#8fb0ec"];
  for (let i = 0; i < 13; i++) {
    const a = i * 137.5;
    const r = 27 * Math.sqrt(i);
    brush.fill(tint[i % 4], 180);
    floret(r * cos(a), r * 0.9 * sin(a), 33, a);
  }
  brush.fillBleed(0.1);
  brush.fill("#f4ecc0", 230);
  for (let i = 0; i < 13; i++) brush.circle(27 * Math.sqrt(i) * cos(i * 137.5), 24.3 * Math.sqrt(i) * sin(i * 137.5), 4);
}
