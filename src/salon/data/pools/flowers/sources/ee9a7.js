function setup() {
  createCanvas(400, 400, WEBGL);
  angleMode(DEGREES);
  randomSeed(534);
  noLoop();
}

function petal(a, len, w) {
  push();
  rotate(a);
  brush.beginShape(0.6);
  brush.vertex(0, 4);
  brush.vertex(-w * 0.7, -len * 0.36);
  brush.vertex(-w, -len * 0.74);
  brush.vertex(-w * 0.2, -len);
  brush.vertex(w * 0.6, -len * 0.95);
  brush.vertex(w, -len * 0.64);
  brush.vertex(w * 0.6, -len * 0.3);
  brush.endShape(true);
  pop();
}

function strip(points) {
  brush.beginShape(0.5);
  for (const p of points) brush.vertex(p[0], p[1]);
  brush.endShape(true);
}

function draw() {
  background("#f8f4ec");
  translate(8, -46);
  brush.noStroke();
  brush.fillTexture(0.4, 0.2);
  brush.fillBleed(0.55);
  brush.fill("#c9dccb", 150);
  brush.circle(-30, 60, 95);
  brush.fillTexture(0.35, 0.4);
  brush.fillBleed(0.04);
  brush.fill("#76925f", 220);
  strip([[-8, 116], [-20, 180], [-6, 244], [2, 244], [-12, 180], [-1, 116]]);
  brush.fillBleed(0.15);
  brush.fill("#557f5e", 200);
  strip([[-14, 206], [-50, 160], [-110, 150], [-96, 190], [-50, 212]]);
  brush.fill("#7fa36d", 200);
  strip([[-10, 190], [30, 144], [92, 150], [70, 186], [26, 204]]);
  brush.fillBleed(0.18);
  brush.fill("#f8c6d0", 200);
  for (let i = 0; i < 6; i++) petal(i * 60, 116, 50);
  brush.fillBleed(0.28);
  brush.fill("#e58aa2", 170);
  for (let i = 0; i < 6; i++) petal(i * 60 + 5, 78, 26);
  brush.fillBleed(0.2);
  brush.fill("#3a2a44", 250);
  brush.circle(0, 0, 16);
  brush.fillBleed(0.05);
  for (let i = 0; i < 14; i++) brush.circle((27 + (i % 2) * 5) * cos(i * 25.7), (27 + (i % 2) * 5) * sin(i * 25.7), 2.6);
}
