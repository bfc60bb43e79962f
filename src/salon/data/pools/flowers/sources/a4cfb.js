function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(17);
  noLoop();
}

function blossom(x, y, r, turn) {
  push();
  translate(x, y);
  rotate(turn);
  for (let i = 0; i < 5; i++) {
    push();
    rotate(i * 72);
    brush.fillBleed(0.2);
    brush.fill("#f7b6c6", 170);
    brush.beginShape(0.6);
    brush.vertex(0, 0);
    brush.vertex(-r * 0.42, -r * 0.5);
    brush.vertex(-r * 0.3, -r * 0.95);
    brush.vertex(0, -r * 0.85);
    brush.vertex(r * 0.3, -r * 0.97);
    brush.vertex(r * 0.42, -r * 0.5);
    brush.endShape(true);
    brush.fillBleed(0.3);
    brush.fill("#ef86a6", 150);
    brush.beginShape(0.6);
    brush.vertex(0, 0);
    brush.vertex(-r * 0.2, -r * 0.32);
    brush.vertex(0, -r * 0.6);
    brush.vertex(r * 0.2, -r * 0.32);
    brush.endShape(true);
    pop();
  }
  brush.fillBleed(0.4);
  brush.fill("#c93a6b", 190);
  brush.circle(0, 0, r * 0.16);
  brush.set("HB", "#b8486c", 0.8);
  for (let i = 0; i < 9; i++) brush.line(0, 0, r * 0.42 * cos(i * 40), r * 0.42 * sin(i * 40));
  brush.noStroke();
  pop();
}

function shape(points) {
  brush.beginShape(0.5);
  for (const p of points) brush.vertex(p[0], p[1]);
  brush.endShape(true);
}

function draw() {
  background("#fbf7ee");
  translate(-200, -200);
  brush.fillTexture(0.35, 0.4);
  brush.noStroke();
  brush.fillBleed(0.08);
  brush.fill("#8a6256", 230);
  shape([[10, 372], [110, 280], [180, 232], [176, 224], [104, 268], [6, 356]]);
  shape([[240, 196], [310, 140], [392, 84], [390, 78], [304, 130], [236, 186]]);
  shape([[110, 275], [84, 230], [84, 180], [78, 182], [78, 232], [102, 280]]);
  shape([[240, 200], [276, 244], [284, 250], [248, 196]]);
  brush.fill("#9dbb7c", 180);
  brush.fillBleed(0.2);
  brush.circle(322, 108, 12);
  blossom(208, 186, 74, 10);
  blossom(84, 140, 52, 40);
  blossom(308, 290, 60, 66);
  brush.fillBleed(0.2);
  brush.fill("#e37d9c", 200);
  brush.circle(345, 150, 13);
  brush.circle(372, 95, 9);
}
