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
    pop();
  }
  brush.fillBleed(0.4);
  brush.fill("#c93a6b", 190);
  brush.circle(0, 0, r * 0.22);
  brush.set("HB", "#a8335a", 1.5);
  for (let i = 0; i < 9; i++) brush.line(0, 0, r * 0.5 * cos(i * 40), r * 0.5 * sin(i * 40));
  brush.noStroke();
  pop();
}

function draw() {
  background("#f8f4ec");
  translate(-200, -200);
  brush.fillTexture(0.35, 0.4);
  brush.set("charcoal", "#6b4a42", 4);
  brush.spline([[20, 350], [120, 270], [230, 200], [380, 70]], 0.4);
  brush.set("HB", "#7a554a", 6);
  brush.spline([[190, 225], [240, 260], [300, 290]], 0.5);
  brush.spline([[120, 270], [120, 200], [100, 150]], 0.5);
  brush.noStroke();
  brush.fill("#9dbb7c", 180);
  brush.fillBleed(0.2);
  brush.circle(322, 108, 12);
  blossom(215, 165, 66, 10);
  blossom(110, 130, 50, 40);
  blossom(300, 285, 54, 66);
  blossom(130, 265, 44, 25);
  brush.fillBleed(0.2);
  brush.fill("#e37d9c", 200);
  brush.circle(345, 150, 13);
  brush.circle(372, 95, 9);
}
