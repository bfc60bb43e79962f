function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(71);
  noLoop();
}

function petal(a, len, w) {
  push();
  rotate(a);
  brush.beginShape(0.6);
  brush.vertex(0, 5);
  brush.vertex(-w * 0.5, -len * 0.35);
  brush.vertex(-w, -len * 0.72);
  brush.vertex(-w * 0.5, -len);
  brush.vertex(w * 0.1, -len * 0.93);
  brush.vertex(w * 0.6, -len);
  brush.vertex(w, -len * 0.7);
  brush.vertex(w * 0.5, -len * 0.32);
  brush.endShape(true);
  pop();
}

function draw() {
  background("#ffffff");
  brush.noStroke();
  // the background makes the white
  brush.fillTexture(0.35, 0.3);
  brush.fillBleed(0.4);
  brush.fill("#7fb2a8", 190);
  brush.circle(-20, 20, 150);
  brush.fill("#5f93b0", 150);
  brush.circle(40, -30, 118);
  brush.fillBleed(0.15);
  brush.fill("#3f7a5a", 200);
  petal(128, 184, 28);
  petal(230, 180, 30);

  const turn = [-6, 68, 140, 212, 284];
  brush.noFill();
  brush.wash("#ffffff", 255);
  for (let i = 0; i < 5; i++) petal(turn[i], 118, 54);
  brush.noWash();
  brush.fillBleed(0.2);
  brush.fill("#ead6d0", 130);
  for (let i = 0; i < 5; i++) petal(turn[i] + 6, 100, 30);
  brush.fillBleed(0.4);
  brush.fill("#c4204e", 210);
  for (let i = 0; i < 5; i++) petal(turn[i], 54, 16);

  brush.fillBleed(0.06);
  brush.fill("#f0c65a", 250);
  brush.beginShape(0.5);
  brush.vertex(-3, 0);
  brush.vertex(-16, -40);
  brush.vertex(-40, -70);
  brush.vertex(-34, -74);
  brush.vertex(-10, -42);
  brush.vertex(4, -2);
  brush.endShape(true);
  brush.circle(-42, -76, 6);
  brush.circle(-34, -82, 4);
  brush.circle(-48, -68, 4);
}
