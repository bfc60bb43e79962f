// Runs in every new document of a sketch's page before any other script: no sketch has run yet, so what is kept in this
// closure is out of a sketch's reach. It makes chance and time repeat, and tells the renderer when the picture is finished.
(() => {
  "use strict";
  const config = __SALON_CONFIG__;
  const post = window[config.report];
  delete window[config.report];
  const top = window.top === window;
  const realTimeout = window.setTimeout.bind(window);
  const { stringify } = JSON;
  const { setAttribute, append } = Element.prototype;
  const { querySelector } = Document.prototype;
  const call = Function.prototype.call.bind(Function.prototype.call);
  const isCanvas = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, "width").get;
  const isConnected = Object.getOwnPropertyDescriptor(Node.prototype, "isConnected").get;
  const root = document.documentElement ?? document;
  let reported = false;
  let accused = false;
  // p5's own names, as they are before a sketch runs.
  const vocabulary = { __proto__: null };

  // Once; and once more, where a picture that is finished is followed by the news of what it did for that.
  const report = (kind, message = "", line = 0, ofP5 = false) => {
    const accuses = kind === "external_access" || kind === "embedded_raster";
    if ((reported && (accused || !accuses)) || !post || !(top || accuses)) return;
    if (top && !reported) markCanvas();
    reported = true;
    accused ||= accuses;
    const frame = main()?.frameCount ?? 0;
    post(stringify({ kind, message: `${message}`.slice(0, 500), line, frame, started: instances.length > 0, of_p5: ofP5 }));
  };
  // How far it has come, for whoever ends it at its deadline.
  const reach = (stage) => post(stringify({ kind: "stage", message: stage }));

  // --- chance ------------------------------------------------------------------------------------------------------
  let state = 0x9e3779b9;
  const random32 = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  Math.random = () => (random32() * 2097152 + (random32() >>> 11)) / 9007199254740992;
  const fillRandom = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = random32() & 255;
    return array;
  };
  const uuid = () => {
    const hex = Array.from(fillRandom(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  Object.defineProperty(Crypto.prototype, "getRandomValues", { value: fillRandom });
  Object.defineProperty(Crypto.prototype, "randomUUID", { value: uuid });

  // --- time: one virtual clock, moved by the timers that fall due and a little by being read ------------------------
  const EPOCH = 1767225600000;
  const FRAME = 1000 / 60;
  let now = 0;
  const clock = () => (now += 1 / 64);
  const timers = new Map();
  let timerId = 0;
  let pumping = false;
  let horizon = Infinity;
  let budget = Infinity;
  const channel = new MessageChannel();

  const due = () => {
    let first = null;
    for (const timer of timers.values()) if (!first || timer.at < first.at) first = timer;
    return first;
  };
  const kick = () => {
    if (pumping || reported || !timers.size) return;
    pumping = true;
    channel.port2.postMessage(0);
  };
  channel.port1.onmessage = () => {
    pumping = false;
    const timer = due();
    if (!timer) return;
    if (timer.at > horizon || budget-- <= 0) return finishNow();
    now = Math.max(now, timer.at);
    if (timer.every === null) timers.delete(timer.id);
    else timer.at = now + timer.every;
    try {
      timer.run();
    } finally {
      if (horizon < Infinity && !timers.size) finishNow();
      kick();
    }
  };
  const schedule = (run, at, every = null) => {
    timers.set(++timerId, { id: timerId, run, at, every });
    kick();
    return timerId;
  };
  const callable = (handler) => (typeof handler === "function" ? handler : () => (0, eval)(`${handler}`));
  const delayOf = (value) => Math.max(1, Number(value) || 0);
  window.setTimeout = (handler, delay, ...args) =>
    schedule(() => callable(handler).apply(window, args), now + delayOf(delay));
  window.setInterval = (handler, delay, ...args) =>
    schedule(() => callable(handler).apply(window, args), now + delayOf(delay), delayOf(delay));
  // A whole number of frames, give or take the rounding: without that, time stands still at the 64th.
  window.requestAnimationFrame = (handler) =>
    schedule(() => handler.call(window, now), (Math.floor(now / FRAME + 1e-6) + 1) * FRAME);
  window.requestIdleCallback = (handler) =>
    schedule(() => handler.call(window, { didTimeout: false, timeRemaining: () => 10 }), now + 1);
  const cancel = (id) => void timers.delete(id);
  for (const name of ["clearTimeout", "clearInterval", "cancelAnimationFrame", "cancelIdleCallback"]) window[name] = cancel;

  Object.defineProperty(Performance.prototype, "now", { value: clock });
  Object.defineProperty(Performance.prototype, "timeOrigin", { get: () => EPOCH });
  const RealDate = Date;
  const today = () => Math.floor(EPOCH + clock());
  window.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length ? args : [today()], newTarget),
    apply: () => new RealDate(today()).toString(),
    get: (target, key) => (key === "now" ? today : Reflect.get(target, key)),
  });
  RealDate.prototype.constructor = window.Date;

  // --- canvases: faint layers survive in half floats; what was painted stays readable -------------------------------
  for (const prototype of [HTMLCanvasElement.prototype, OffscreenCanvas.prototype]) {
    const { getContext } = prototype;
    prototype.getContext = function (kind, attributes) {
      if (kind === "2d") attributes = { ...attributes, colorType: "float16" };
      else if (`${kind}`.startsWith("webgl")) attributes = { ...attributes, preserveDrawingBuffer: true };
      return call(getContext, this, kind, attributes);
    };
  }

  // --- what only a person could answer -------------------------------------------------------------------------------
  window.alert = window.print = () => undefined;
  window.confirm = () => false;
  window.prompt = () => null;

  // --- ways out that no request shows -------------------------------------------------------------------------------
  const refuse = (name) => report("external_access", `${name} reaches out of the sketch`);
  window.open = () => (refuse("window.open"), null);
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) {
    window[name] = class {
      constructor() {
        refuse(name);
        throw new TypeError(`there is no ${name} here`);
      }
    };
  }
  if (window.ServiceWorkerContainer) {
    ServiceWorkerContainer.prototype.register = async () => (refuse("a service worker"), new Promise(() => 0));
  }

  // --- pictures that were not painted here: p5 and p5.brush decode none -------------------------------------------
  const carries = (name) => {
    report("embedded_raster", `${name} brings a picture along, which is no painting`);
    throw new TypeError(`${name} decodes no pictures here`);
  };
  for (const name of ["ImageDecoder", "VideoDecoder"]) {
    window[name] = class {
      constructor() {
        carries(name);
      }
    };
  }
  const isBlob = Object.getOwnPropertyDescriptor(Blob.prototype, "size").get;
  const { createImageBitmap } = window;
  window.createImageBitmap = async (image, ...rest) => {
    let encoded = true;
    try {
      call(isBlob, image);
    } catch {
      encoded = false;
    }
    return encoded ? carries("createImageBitmap") : call(createImageBitmap, window, image, ...rest);
  };
  // A font of bytes can hold pictures for its letters.
  const RealFontFace = FontFace;
  window.FontFace = new Proxy(RealFontFace, {
    construct: (target, args, newTarget) =>
      typeof args[1] === "string" ? Reflect.construct(target, args, newTarget) : carries("FontFace"),
  });
  RealFontFace.prototype.constructor = window.FontFace;

  // --- the end of a sketch, or its error -------------------------------------------------------------------------------
  const instances = [];
  let ending = false;
  // The first one that draws. Some libraries start another in front of it, which has no canvas but p5's default.
  const main = () => {
    for (let i = 0; i < instances.length; i++) if (!instances[i]._idle) return instances[i];
    return instances[0];
  };

  const markCanvas = () => {
    const canvases = instances.length ? [main(), ...instances].map((instance) => instance._renderer?.elt) : [plainCanvas()];
    for (const canvas of canvases) {
      try {
        call(isCanvas, canvas);
      } catch {
        continue;
      }
      if (!call(isConnected, canvas)) call(append, document.documentElement, canvas);
      return call(setAttribute, canvas, config.mark, "");
    }
  };
  // Later than what is queued already: a refused request is an event that may be on its way.
  const finishNow = () => realTimeout(() => realTimeout(() => report("done"), 1), 1);
  const finish = (instance) => {
    if (ending) return;
    ending = true;
    const looping = instance._loop && instance._drawn;
    horizon = looping ? -1 : Math.max(now + config.settle, config.time);
    budget = Math.max(500, config.time);
    realTimeout(() => (timers.size ? kick() : finishNow()), 0);
  };
  const end = (instance) => {
    instance._ended = true;
    if (!instance._idle && instance === main()) return finish(instance);
    // Others may be about to start.
    if (instance._idle) realTimeout(() => main()._ended && finish(main()), 20);
  };
  const say = (error) => (error && error.stack && error.message !== undefined ? `${error.name}: ${error.message}` : `${error}`);
  const lineOf = (error) => Number(/sketch\.js:(\d+)/.exec((error && error.stack) || "")?.[1] ?? 0);
  const threw = (message, line) => {
    report("threw", message, line, vocabulary[/ReferenceError: (\S+) is not defined/.exec(message)?.[1]] === true);
  };
  window.addEventListener("error", (event) => {
    if (event instanceof ErrorEvent) threw(event.error ? say(event.error) : event.message, event.lineno);
  });
  window.addEventListener("unhandledrejection", (event) => threw(say(event.reason), lineOf(event.reason)));
  window.addEventListener("webglcontextlost", () => report("context_lost"), true);
  document.addEventListener("securitypolicyviolation", (event) => {
    const carried = /^(img|font|media)-/.test(event.effectiveDirective) && /^(data|blob)/.test(event.blockedURI);
    const kind = carried ? "embedded_raster" : "external_access";
    report(kind, `${event.effectiveDirective} ${event.blockedURI}`, event.lineNumber);
  });

  const checkSize = (width, height) => {
    const fine = width >= 1 && height >= 1 && width <= config.side && height <= config.side;
    if (fine && width * height <= config.area) return;
    report("canvas_size", `${width} × ${height}; at most ${config.side} a side and ${config.area} pixels in all`);
    throw new RangeError(`a canvas of ${width} × ${height} is refused`);
  };
  const addon = (_p5, prototype, hooks) => {
    hooks.presetup = function () {
      instances.push(this);
      if (this === instances[0]) reach("setup");
    };
    hooks.postsetup = function () {
      if (this === instances[0]) reach("draw");
      const context = this._isGlobal ? window : this;
      if (typeof context.draw === "function") return;
      this._idle = this._canvases < 2;
      end(this);
    };
    hooks.postdraw = function () {
      this._drawn = true;
      if (!this._loop || (config.time ? now >= config.time : this.frameCount >= config.frames)) end(this);
    };
    for (const name of ["createCanvas", "resizeCanvas", "createGraphics"]) {
      const original = prototype[name];
      prototype[name] = function (...args) {
        if (args.length) checkSize(Number(args[0]), Number(args[1]));
        if (name === "createCanvas") this._canvases = (this._canvases ?? 0) + 1;
        return original.apply(this, args);
      };
    }
    // A canvas for an element that only the sketch's own page has stays where it is.
    const { parent } = _p5.Element.prototype;
    _p5.Element.prototype.parent = function (where) {
      if (typeof where === "string" && !document.getElementById(where.replace(/^#/, ""))) return this;
      return parent.apply(this, arguments);
    };
    // There is nowhere to save to, and nobody to ask for it.
    for (const name of ["save", "saveCanvas", "saveFrames", "saveGif", "saveJSON", "saveStrings", "saveTable"]) {
      prototype[name] = function () {};
    }
    const { pixelDensity } = prototype;
    prototype.pixelDensity = function (value) {
      return value === undefined ? pixelDensity.call(this) : this;
    };
  };
  const waitForSketch = () => {
    if (!instances.length) report("missing_entry_points", "nothing started: neither setup() nor draw() is defined");
  };

  // Without p5, a sketch is finished when its timers have run dry, or at the moment that was asked for.
  const plainCanvas = () => call(querySelector, document, "canvas");
  const finishPlain = () => {
    if (!plainCanvas()) return report("missing_entry_points", "nothing started, and the page shows no canvas");
    timers.size ? kick() : finishNow();
  };

  if (!top) return;
  window[config.prime] = (seed) => {
    delete window[config.prime];
    state = seed | 0;
    now = 0;
    return (plain) => {
      if (plain) {
        horizon = config.time || (config.frames > 1 ? config.frames * FRAME : config.settle);
        budget = Math.max(500, config.time, config.frames);
        return window.addEventListener("load", () => realTimeout(finishPlain, 1));
      }
      p5.registerAddon(addon);
      for (const name of Object.getOwnPropertyNames(p5.prototype)) vocabulary[name] = true;
      window.addEventListener("load", () => realTimeout(waitForSketch, 1500));
    };
  };
})();
