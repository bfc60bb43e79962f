// What a sketch's page tells the renderer, and the picture. Runs before any sketch, and is written so that none can have a
// say in it: only strings and numbers are put together, native functions are called by a `call` that was bound before, no
// object here inherits from a prototype, and what comes from a sketch's objects is used after it was seen to be primitive.
// The picture is read in the same turn as the report, from the canvas whose context p5 was given to paint with.
(config) => {
  const { token, paper, side, area } = config;
  const post = window.top === window ? window[config.report] : undefined;
  delete window[config.report];
  const call = Function.prototype.call.bind(Function.prototype.call);
  const page = document;
  const { getOwnPropertyDescriptor } = Object;
  const { hasOwnProperty } = Object.prototype;
  const getter = (type, name) => getOwnPropertyDescriptor(type.prototype, name).get;
  const setter = (type, name) => getOwnPropertyDescriptor(type.prototype, name).set;
  const { slice, indexOf, charCodeAt } = String.prototype;
  const { createElement, querySelector } = Document.prototype;
  const { getContext, toDataURL } = HTMLCanvasElement.prototype;
  const { fillRect, drawImage } = CanvasRenderingContext2D.prototype;
  const widthOf = getter(HTMLCanvasElement, "width");
  const heightOf = getter(HTMLCanvasElement, "height");
  const setWidth = setter(HTMLCanvasElement, "width");
  const setHeight = setter(HTMLCanvasElement, "height");
  const setFill = setter(CanvasRenderingContext2D, "fillStyle");
  const ofContext = {
    __proto__: null,
    0: getter(CanvasRenderingContext2D, "canvas"),
    1: getter(WebGL2RenderingContext, "canvas"),
    2: getter(WebGLRenderingContext, "canvas"),
  };
  const PREFIX = "data:image/png;base64,".length;
  let told = 0;
  let reported = false;
  let accused = false;
  let shown = false;
  let calls = null;
  // The instances of p5, as they started: a list of { instance, canvas, canvases, frame, idle, drawn, ended, next }.
  let first = null;

  const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";
  const whole = (value) => (typeof value === "number" && value > 0 && value < 1e9 ? value >>> 0 : 0);
  const text = (value) => (typeof value === "string" ? call(slice, value, 0, 500) : "");
  const ownValue = (object, name) => {
    const found = isObject(object) ? getOwnPropertyDescriptor(object, name) : undefined;
    return found && call(hasOwnProperty, found, "value") ? found.value : undefined;
  };
  // The canvas that an instance of p5 paints on, by the context that it paints with: native functions say whose that is.
  const canvasOf = (instance) => {
    const context = ownValue(ownValue(instance, "_renderer"), "drawingContext");
    let canvas = null;
    for (let i = 0; i < 3 && !canvas; i++) {
      try {
        canvas = call(ofContext[i], context);
        call(widthOf, canvas);
      } catch {
        canvas = null;
      }
    }
    return canvas;
  };
  const fits = (width, height) =>
    width >= 1 && height >= 1 && width <= side && height <= side && width * height <= area;

  const recordOf = (instance) => {
    let last = null;
    for (let each = first; each; each = each.next) {
      if (each.instance === instance) return each;
      last = each;
    }
    const record = { __proto__: null, instance, canvas: null, canvases: 0, frame: 0, idle: false, drawn: false, ended: false, next: null };
    if (last) last.next = record;
    else first = record;
    return record;
  };
  // The first one that draws. Some libraries start another in front of it, which has no canvas but p5's default.
  const main = () => {
    for (let each = first; each; each = each.next) if (!each.idle) return each;
    return first;
  };
  const started = () => first !== null;
  const plainCanvas = () => call(querySelector, page, "canvas");
  const theCanvas = () => {
    if (!first) return plainCanvas();
    const preferred = main().canvas;
    if (preferred) return preferred;
    for (let each = first; each; each = each.next) if (each.canvas) return each.canvas;
    return null;
  };

  // As p5 last told it: nothing of a sketch's runs while a report is made.
  const frames = () => (first ? main().frame : 0);
  const tell = (kind, message, frame = 0, line = 0, ofP5 = false) =>
    post(`${token} ${++told} ${kind} ${frame} ${whole(line)} ${first ? 1 : 0}${ofP5 === true ? 1 : 0} ${text(message)}`);
  const read = () => {
    const canvas = theCanvas();
    const width = canvas ? call(widthOf, canvas) : 0;
    const height = canvas ? call(heightOf, canvas) : 0;
    if (!fits(width, height)) return "";
    const sheet = call(createElement, page, "canvas");
    call(setWidth, sheet, width);
    call(setHeight, sheet, height);
    const context = call(getContext, sheet, "2d", { __proto__: null, alpha: false, willReadFrequently: true });
    call(setFill, context, paper);
    call(fillRect, context, 0, 0, width, height);
    call(drawImage, context, canvas, 0, 0);
    return call(slice, call(toDataURL, sheet, "image/png"), PREFIX);
  };
  const show = () => {
    if (shown || !post) return;
    let picture = "";
    try {
      picture = read();
    } catch {
      // Nothing can be read: there is no picture.
    }
    post(`${token} ${++told} picture 0 0 00 ${picture}`);
    shown = true;
  };

  // Once; and once more, where a picture that is finished is followed by the news of what it did for that.
  const report = (kind, message = "", line = 0, ofP5 = false) => {
    const accuses = kind === "external_access" || kind === "embedded_raster";
    const frame = frames();
    if (!post || (reported && (accused || !accuses))) return;
    const canvas = kind === "done" ? theCanvas() : null;
    const width = canvas ? call(widthOf, canvas) : 0;
    const height = canvas ? call(heightOf, canvas) : 0;
    if (calls && !reported) post(`${token} ${++told} calls 0 0 00 ${calls()}`);
    if (width && height && !fits(width, height)) tell("canvas_size", `${width} × ${height}`, frame);
    else tell(kind, message, frame, line, ofP5);
    reported = true;
    accused = accused || accuses;
    show();
  };
  // How far it has come, for whoever ends it at its deadline.
  const reach = (stage) => {
    if (post) tell("stage", stage);
  };

  // What was thrown, in words. Its own getters may run here: whatever they do, what comes back is a string or not used.
  const words = (thrown) => {
    if (typeof thrown === "symbol") return "a symbol";
    try {
      if (!isObject(thrown)) return `${thrown}`;
      const { name, message, stack } = thrown;
      return stack && message !== undefined ? `${name}: ${message}` : `${thrown}`;
    } catch {
      return "something that cannot be told";
    }
  };
  // The first line of the sketch that its stack names; 0 without one.
  const lineOf = (thrown) => {
    let stack = "";
    try {
      stack = isObject(thrown) ? thrown.stack : "";
    } catch {
      return 0;
    }
    if (typeof stack !== "string") return 0;
    const at = call(indexOf, stack, "sketch.js:");
    let line = 0;
    for (let i = at + 10; at >= 0; i++) {
      const digit = call(charCodeAt, stack, i) - 48;
      if (!(digit >= 0 && digit <= 9) || line > 1e8) break;
      line = 10 * line + digit;
    }
    return line;
  };
  // The name that a message says is not defined; "" in any other.
  const missing = (message) => {
    const start = call(indexOf, message, "ReferenceError: ");
    const end = call(indexOf, message, " is not defined");
    return start < 0 || end < start ? "" : call(slice, message, start + 16, end);
  };
  const isReported = () => reported;
  // What it called, once somebody watches.
  const tellOf = (asked) => {
    calls = asked;
  };
  return { __proto__: null, call, report, reach, show, isReported, tellOf, words, lineOf, missing, whole, fits, recordOf, canvasOf, main, started, plainCanvas };
}
