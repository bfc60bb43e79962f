// The mask that p5.brush fills its watercolours into, instead of a 2D canvas: the part of a canvas's interface that it
// uses, over mask.c. A fill is ninety faint layers of some five hundred vertices; a canvas takes several times as long
// to rasterise and upload them.
const MASK_MODULE = new WebAssembly.Module(Uint8Array.from(atob(MASK_WASM), (c) => c.charCodeAt(0)));
const { Instance: MaskInstance } = WebAssembly;

// The opacity of a style, as Chromium's canvas takes it: a percentage exactly, but for one that rounds to nothing; a
// number in steps of 1 / 255.
const alphaOf = (style) => {
  const found = /^rgb\(255 0 0 \/ ([-+.\deE]+)(%?)\)$/.exec(style);
  const value = found ? Number(found[1]) / (found[2] ? 100 : 1) : NaN;
  if (!Number.isFinite(value)) return null;
  const alpha = Math.min(1, Math.max(0, value));
  const rounded = Math.round(alpha * 255) / 255;
  return found[2] && rounded ? alpha : rounded;
};

class BrushMask {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.native = new MaskInstance(MASK_MODULE).exports;
    this.native.open(width, height);
    this.drawingContext = new MaskContext(this.native);
  }

  // A rectangle of it, onto the texture that is bound: in whole blocks of 2 × 2 pixels, which a GPU counts from below.
  upload(gl, { minX, minY, maxX, maxY }) {
    const odd = this.height & 1;
    const [left, top] = [minX & ~1, Math.max(0, ((minY - odd) & ~1) + odd)];
    const width = Math.min(this.width, (maxX + 1) & ~1) - left;
    const height = Math.min(this.height, ((maxY - odd + 1) & ~1) + odd) - top;
    const at = this.native.upload(left, top, width, height, odd && top === 0 ? 1 : 0);
    const bytes = new Uint8Array(this.native.memory.buffer, at, width * height * 4);
    const premultiplies = gl.getParameter(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, left, top, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, premultiplies);
  }
}

class MaskContext {
  #native;
  #circle = null;
  #saved = [];
  #state = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0, fill: 1, stroke: 1, width: 1, erases: false };

  constructor(native) {
    this.#native = native;
  }

  save() {
    this.#saved.push({ ...this.#state });
  }

  restore() {
    this.#state = this.#saved.pop() ?? this.#state;
  }

  setTransform(a, b, c, d, e, f) {
    if (Number.isFinite(a + b + c + d + e + f)) Object.assign(this.#state, { a, b, c, d, e, f });
  }

  getTransform() {
    const { a, b, c, d, e, f } = this.#state;
    return { a, b, c, d, e, f };
  }

  // As a canvas does, what cannot be read is ignored, and so is a width of 0.
  set fillStyle(style) {
    this.#state.fill = alphaOf(style) ?? this.#state.fill;
  }

  set strokeStyle(style) {
    this.#state.stroke = alphaOf(style) ?? this.#state.stroke;
  }

  set globalCompositeOperation(name) {
    this.#state.erases = name === "destination-out";
  }

  get lineWidth() {
    return this.#state.width;
  }

  set lineWidth(width) {
    if (width > 0 && width < Infinity) this.#state.width = width;
  }

  clearRect() {
    this.#native.clear();
  }

  beginPath() {
    this.#circle = null;
    this.#native.begin();
  }

  moveTo(x, y) {
    this.#native.close();
    this.lineTo(x, y);
  }

  lineTo(x, y) {
    if (Math.abs(x) < 1e9 && Math.abs(y) < 1e9) this.#native.point(x, y);
  }

  closePath() {
    this.#native.close();
  }

  // A path of p5.brush's is an outline, or else one whole circle.
  arc(x, y, radius) {
    this.#circle = [x, y, radius];
  }

  fill() {
    const { a, b, c, d, e, f, fill, erases } = this.#state;
    if (!this.#circle) return this.#native.fill(a, b, c, d, e, f, fill, erases);
    const [x, y, radius] = this.#circle;
    if (Math.abs(x) < 1e9 && Math.abs(y) < 1e9 && radius > 0 && radius < 1e9)
      this.#native.circle(a, b, c, d, a * x + c * y + e, b * x + d * y + f, radius, fill, erases);
  }

  stroke() {
    const { a, b, c, d, e, f, width, stroke, erases } = this.#state;
    if (stroke) this.#native.stroke(a, b, c, d, e, f, width, stroke, erases);
  }
}
