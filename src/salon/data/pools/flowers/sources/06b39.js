function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(101);
  noLoop();
}

function petal(a, len, w) {
  push();
  rotate(a);
  brush.beginShape(0.6);
  brush.vertex(0, 0);
  brush.vertex(-w * 0.8, -len * 0.4);
  brush.vertex(-w, -len * 0.75);
  brush.vertex(-w * 0.3, -len);
  brush.vertex(w * 0.5, -len * 0.97);
  brush.vertex(w, -len * 0.66);
  brush.vertex(w * 0.6, -len * 0.3);
  brush.endShape(true);
  pop();
}

function draw() {
  background("#faf5e9");
  scale(0.4);
  translate(6, -42);
  brush.noStroke();
  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.06);
  brush.fill("#7d9b66", 220);
  brush.beginShape(0.4);
  brush.vertex(-8, 98);
  brush.vertex(-22, 170);
  brush.vertex(-6, 245);
  brush.vertex(3, 245);
  brush.vertex(-13, 170);
  brush.vertex(0, 98);
  brush.endShape(true);
  // feathery collar of leaves
  brush.fillBleed(0.2);
  brush.fill("#6a9a6c", 190);
  for (const a of [108, 135, 165, 205, 232, 255]) petal(a, 132, 9);

  brush.fillBleed(0.18);
  brush.fill("#e79ad0", 170);
  for (let i = 0; i < 5; i++) petal(i * 72 + 36, 118, 52);
  brush.fill("#cf4fae", 170);
  for (let i = 0; i < 5; i++) petal(i * 72, 104, 46);
  brush.fillBleed(0.35);
  brush.fill("#8f2387", 160);
  for (let i = 0; i < 5; i++) petal(i * 72 + 6, 66, 20);
  brush.fillBleed(0.15);
  brush.noFill();
  brush.wash("#fff4fb", 235);
  brush.circle(0, 0, 27);
  brush.noWash();
  brush.fill("#2b2145", 240);
  brush.circle(0, 0, 17);
  brush.set("HB", "#2b2145", 0.8);
  for (let i = 0; i < 20; i++) brush.line(20 * cos(i * 18), 20 * sin(i * 18), (30 + (i % 3) * 5) * cos(i * 18), (30 + (i % 3) * 5) * sin(i * 18));
  brush.noStroke();
}
