// Runs in every new document of a sketch's page before any other script: no sketch has run yet, so what is kept in this
// closure is out of a sketch's reach. It makes chance and time repeat, and tells the renderer when the picture is finished.
(() => {
  "use strict";
  const config = __SALON_CONFIG__;
  const voice = __SALON_REPORT__(config);
  const calls = __SALON_CALLS__(config.watched);
  const compartment = __SALON_COMPARTMENT__(config.lent);
  const { call, report, reach, isReported, words, lineOf, missing, whole, fits, recordOf, canvasOf, main, started, plainCanvas } = voice;
  const { apply } = Reflect;
  const top = window.top === window;
  const realTimeout = window.setTimeout.bind(window);
  // p5's own names, as they are before a sketch runs.
  const vocabulary = { __proto__: null };

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
  // Milliseconds of this clock, and timers, in which p5 has to start.
  const PATIENCE = 5000;
  let now = 0;
  const clock = () => (now += 1 / 64);
  // A list, by when they fall due and then by their age, that needs nothing of a prototype, which a sketch could change.
  const { max, floor } = Math;
  const RealNumber = Number;
  const timers = { __proto__: null };
  let first = null;
  let last = null;
  let timerId = 0;
  let pumping = false;
  let ran = 0;
  let horizon = Infinity;
  let budget = Infinity;
  const channel = new MessageChannel();
  const wake = channel.port2.postMessage.bind(channel.port2);
  // No real clock is asked for what comes later, which a busy machine lets run on: what is queued already, such as the news of
  // a refused request, has had its turn when a message has gone through the same queue so many times.
  const TURNS = 64;
  const turns = new MessageChannel();
  const turn = turns.port2.postMessage.bind(turns.port2);
  let queued = null;
  let lastQueued = null;
  const later = (run) => {
    const wait = { __proto__: null, run, left: TURNS, next: null };
    if (queued) lastQueued = lastQueued.next = wait;
    else {
      queued = lastQueued = wait;
      turn(0);
    }
  };
  turns.port1.onmessage = () => {
    const { run } = queued;
    if (--queued.left) return turn(0);
    queued = queued.next;
    if (queued) turn(0);
    run();
  };
  // When the page's parser has come to the end is chance: no timer falls due before, and nothing is asked of other threads.
  let loaded = false;
  let tellLoaded = null;
  // What other threads have in hand: the clock stands meanwhile, and one is asked after the other.
  let holding = 0;
  let tail = new Promise((resolve) => (tellLoaded = resolve));
  let afterwards = null;
  const { then } = Promise.prototype;
  // What then() makes is a promise of ours, whatever a sketch does.
  Object.defineProperty(Promise.prototype, "constructor", { writable: false, configurable: false });
  Object.defineProperty(Promise, Symbol.species, { configurable: false });
  const never = new Promise(() => 0);
  const released = () => {
    now += 1;
    if (--holding) return;
    const next = afterwards;
    afterwards = null;
    next ? next() : kick();
  };
  const hold = (begin) => {
    if (now > horizon) return never;
    const answer = holding++ || !loaded ? call(then, tail, begin) : begin();
    tail = call(then, call(then, answer, released, released), () => 0);
    return answer;
  };

  const insert = (timer) => {
    let before = last;
    while (before && (before.at > timer.at || (before.at === timer.at && before.id > timer.id))) before = before.before;
    timer.before = before;
    timer.after = before ? before.after : first;
    if (timer.after) timer.after.before = timer;
    else last = timer;
    if (before) before.after = timer;
    else first = timer;
  };
  const take = (timer) => {
    if (timer.before) timer.before.after = timer.after;
    else first = timer.after;
    if (timer.after) timer.after.before = timer.before;
    else last = timer.before;
  };
  const cancel = (id) => {
    const timer = timers[id];
    if (!timer) return;
    take(timer);
    delete timers[id];
  };
  const kick = () => {
    if (pumping || holding || !loaded || isReported() || !first) return;
    pumping = true;
    wake(0);
  };
  channel.port1.onmessage = () => {
    pumping = false;
    if (holding) return;
    const timer = first;
    if (!timer) return;
    if (timer.at > horizon || budget-- <= 0) return finishNow();
    now = max(now, timer.at);
    if (timer.every === null) cancel(timer.id);
    else {
      take(timer);
      timer.at = now + timer.every;
      insert(timer);
    }
    ran++;
    try {
      timer.run();
    } finally {
      if (horizon < Infinity && !first) finishNow();
      kick();
    }
  };
  const schedule = (run, at, every = null) => {
    const timer = { __proto__: null, id: ++timerId, run, at, every, before: null, after: null };
    timers[timerId] = timer;
    insert(timer);
    kick();
    return timer.id;
  };
  const callable = (handler) => (typeof handler === "function" ? handler : () => (0, eval)(`${handler}`));
  const delayOf = (value) => max(1, RealNumber(value) || 0);
  window.setTimeout = (handler, delay, ...args) =>
    schedule(() => apply(callable(handler), window, args), now + delayOf(delay));
  window.setInterval = (handler, delay, ...args) =>
    schedule(() => apply(callable(handler), window, args), now + delayOf(delay), delayOf(delay));
  // A whole number of frames, give or take the rounding: without that, time stands still at the 64th.
  window.requestAnimationFrame = (handler) =>
    schedule(() => call(handler, window, now), (floor(now / FRAME + 1e-6) + 1) * FRAME);
  window.requestIdleCallback = (handler) =>
    schedule(() => call(handler, window, { didTimeout: false, timeRemaining: () => 10 }), now + 1);
  for (const name of ["clearTimeout", "clearInterval", "cancelAnimationFrame", "cancelIdleCallback"]) window[name] = cancel;

  Object.defineProperty(Performance.prototype, "now", { value: clock });
  Object.defineProperty(Performance.prototype, "timeOrigin", { get: () => EPOCH });
  const RealDate = Date;
  const today = () => floor(EPOCH + clock());
  window.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length ? args : [today()], newTarget),
    apply: () => new RealDate(today()).toString(),
    get: (target, key) => (key === "now" ? today : Reflect.get(target, key)),
  });
  RealDate.prototype.constructor = window.Date;

  __SALON_VIRTUAL__({ now: () => now, today, uuid, schedule, call, hold, realTimeout });
  const { addEventListener } = EventTarget.prototype;
  __SALON_EVENTS__({ call });

  const { createElement } = Document.prototype;
  const { getContext: realContext } = HTMLCanvasElement.prototype;

  // --- sizes ---------------------------------------------------------------------------------------------------------
  const refuseSize = (width, height, total) => {
    const most = `at most ${config.side} a side and ${config.area} pixels, and ${32 * config.area} in all`;
    report("canvas_size", total ? `${total} pixels in all canvases; ${most}` : `${width} × ${height}; ${most}`);
    throw new RangeError(`a canvas of ${width} × ${height} is refused`);
  };
  const sizedBitmap = __SALON_SIZES__({ side: config.side, area: config.area, call, refuse: refuseSize });

  // --- canvases: faint layers survive in half floats; what was painted stays readable -------------------------------
  const spareCanvas = call(createElement, document, "canvas");
  for (const prototype of [HTMLCanvasElement.prototype, OffscreenCanvas.prototype]) {
    const { getContext } = prototype;
    prototype.getContext = function (kind, attributes) {
      kind = `${kind}`;
      if (kind === "2d") attributes = { ...attributes, colorType: "float16" };
      const webgl = kind === "webgl" || kind === "webgl2" || kind === "experimental-webgl";
      if (webgl) attributes = { ...attributes, preserveDrawingBuffer: true };
      const made = call(getContext, this, kind, attributes);
      // Where a fresh canvas gets none either, it is the browser that has none.
      if (webgl && !made && !call(realContext, spareCanvas, "webgl")) report("no_context");
      return made;
    };
  }

  // --- what only a person could answer -------------------------------------------------------------------------------
  window.alert = window.print = () => undefined;
  window.confirm = () => false;
  window.prompt = () => null;

  // --- ways out that no request shows -------------------------------------------------------------------------------
  const refuse = (name) => report("external_access", `${name} reaches out of the sketch`);
  window.open = () => (refuse("window.open"), null);
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport", "Worker", "SharedWorker", "ShadowRealm"]) {
    if (!(name in window)) continue;
    window[name] = class {
      constructor() {
        refuse(name);
        throw new TypeError(`there is no ${name} here`);
      }
    };
  }
  window.close = () => undefined;
  for (const [type, name] of [["ServiceWorkerContainer", "register"], ["Worklet", "addModule"], ["DocumentPictureInPicture", "requestWindow"]]) {
    if (type in window) window[type].prototype[name] = async () => (refuse(`${type}.${name}`), new Promise(() => 0));
  }

  // --- code that the checks have not seen -----------------------------------------------------------------------------
  const text = __SALON_TEXT__({ counted: config.counted, report });

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
    return encoded ? carries("createImageBitmap") : call(createImageBitmap, window, image, ...sizedBitmap(rest));
  };
  // A font of bytes can hold pictures for its letters.
  const RealFontFace = FontFace;
  window.FontFace = new Proxy(RealFontFace, {
    construct: (target, args, newTarget) =>
      typeof args[1] === "string" ? Reflect.construct(target, args, newTarget) : carries("FontFace"),
  });
  RealFontFace.prototype.constructor = window.FontFace;

  // --- the end of a sketch, or its error -------------------------------------------------------------------------------
  let ending = false;
  let plain = false;
  let concluding = false;
  const finishNow = () => {
    if (concluding) return;
    concluding = true;
    const before = ran;
    later(() => conclude(before));
  };
  const conclude = (before) => {
    concluding = false;
    // What ran meanwhile may have been refused something.
    if (ran > before) return advance();
    if (holding) return void (afterwards = finishNow);
    if (first && first.at <= horizon && budget > 0) return kick();
    // Another instance has started meanwhile, or may with the page's load.
    if (horizon === Infinity || !loaded) return;
    if (started() || (plain && plainCanvas())) return report("done");
    report("missing_entry_points", `nothing started${plain ? ", and the page shows no canvas" : ": neither setup() nor draw() is defined"}`);
  };
  const advance = () => (first ? kick() : finishNow());
  // What is left of the sketch runs up to a moment of the virtual clock, and so many timers of it.
  const until = (moment, most) => {
    horizon = moment;
    budget = most;
    advance();
  };
  const settle = () => until(max(now + config.settle, config.time), max(500, config.time));
  const finish = (record) => {
    if (ending) return;
    ending = true;
    if (record.instance._loop && record.drawn) until(-1, 0);
    else settle();
  };
  const end = (record) => {
    const ended = record.ended;
    record.ended = true;
    if (!record.idle && record === main()) return finish(record);
    // Others may be about to start.
    if (!ended && !ending && main().idle) settle();
  };
  const onLoad = () => {
    if (loaded) return;
    loaded = true;
    tellLoaded();
    if (horizon < Infinity) advance();
    else kick();
  };
  const threw = (message, line) => report("threw", message, compartment.lineOf(line), vocabulary[missing(message)] === true);
  const of = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
  const errorOf = of(ErrorEvent, "error");
  const messageOf = of(ErrorEvent, "message");
  const linenoOf = of(ErrorEvent, "lineno");
  const reasonOf = of(PromiseRejectionEvent, "reason");
  const directiveOf = of(SecurityPolicyViolationEvent, "effectiveDirective");
  const blockedOf = of(SecurityPolicyViolationEvent, "blockedURI");
  const violationLineOf = of(SecurityPolicyViolationEvent, "lineNumber");
  const { startsWith } = String.prototype;
  const onError = (event) => {
    let error = null;
    try {
      error = call(errorOf, event);
    } catch {
      return; // A resource's, which the page's policy tells of.
    }
    // What is lent to a compartment throws where no line is the sketch's.
    const line = (compartment.isUsed() && lineOf(error)) || call(linenoOf, event);
    threw(error ? words(error) : call(messageOf, event), line);
  };
  const onRejection = (event) => {
    const reason = call(reasonOf, event);
    threw(words(reason), lineOf(reason));
  };
  const eventTarget = of(Event, "target");
  const onPageLoad = (event) => call(eventTarget, event) === document && onLoad();
  const onLoss = () => report("context_lost");
  const onViolation = (event) => {
    const directive = call(directiveOf, event);
    const blocked = call(blockedOf, event);
    const media = call(startsWith, directive, "img-") || call(startsWith, directive, "font-") || call(startsWith, directive, "media-");
    const carried = media && (call(startsWith, blocked, "data") || call(startsWith, blocked, "blob"));
    const told = blocked === "inline" ? `${directive}: code in the page's HTML does not run` : `${directive} ${blocked}`;
    report(carried ? "embedded_raster" : "external_access", told, compartment.lineOf(call(violationLineOf, event)));
  };
  // On the window, where an event arrives first, and before any listener of a sketch. document.open() takes them away.
  const listen = () => {
    call(addEventListener, window, "load", onPageLoad, true);
    call(addEventListener, window, "error", onError, true);
    call(addEventListener, window, "unhandledrejection", onRejection, true);
    call(addEventListener, window, "webglcontextlost", onLoss, true);
    call(addEventListener, window, "securitypolicyviolation", onViolation, true);
  };
  listen();
  for (const name of ["open", "write", "writeln"]) {
    const original = Document.prototype[name];
    Document.prototype[name] = function (...args) {
      if (name === "open" && args.length > 2) return refuse("document.open"), null;
      try {
        return apply(original, this, args);
      } finally {
        listen();
      }
    };
  }

  const checkSize = (width, height) => {
    if (!fits(width, height)) refuseSize(width, height);
  };
  const addon = (_p5, prototype, hooks) => {
    hooks.presetup = function () {
      const fresh = !started();
      recordOf(this);
      if (!ending && horizon < Infinity) (horizon = budget = Infinity), kick();
      if (fresh) reach("setup");
    };
    hooks.postsetup = function () {
      const record = recordOf(this);
      if (record === main()) reach("draw");
      const context = this._isGlobal ? window : this;
      if (typeof context.draw === "function") return;
      record.idle = record.canvases < 2;
      end(record);
    };
    hooks.predraw = function () {
      recordOf(this).frame = whole(this.frameCount);
    };
    hooks.postdraw = function () {
      const record = recordOf(this);
      record.drawn = true;
      if (!this._loop || (config.time ? now >= config.time : this.frameCount >= config.frames)) end(record);
    };
    for (const name of ["createCanvas", "resizeCanvas", "createGraphics", "setAttributes"]) {
      const original = prototype[name];
      const sized = name !== "setAttributes";
      const makes = name === "createCanvas" || name === "setAttributes";
      prototype[name] = function (...args) {
        if (sized && args.length) {
          args[0] = +args[0];
          args[1] = +args[1];
          checkSize(args[0], args[1]);
        }
        if (name === "createCanvas") recordOf(this).canvases++;
        const made = apply(original, this, args);
        if (makes) recordOf(this).canvas = canvasOf(this);
        return made;
      };
    }
    // A canvas for an element that only the sketch's own page has stays where it is.
    const { parent } = _p5.Element.prototype;
    _p5.Element.prototype.parent = function (where) {
      if (typeof where === "string" && !document.getElementById(where.replace(/^#/, ""))) return this;
      return apply(parent, this, arguments);
    };
    // There is nowhere to save to, and nobody to ask for it.
    for (const name of ["save", "saveCanvas", "saveFrames", "saveGif", "saveJSON", "saveStrings", "saveTable"]) {
      prototype[name] = function () {};
    }
    const { pixelDensity } = prototype;
    prototype.pixelDensity = function (value) {
      return value === undefined ? call(pixelDensity, this) : this;
    };
  };
  if (!top) return;
  const prime = (seed) => {
    delete window[config.prime];
    if (compartment.isUsed()) window[config.prime] = () => delete window[config.prime] && compartment.run();
    state = seed | 0;
    now = 0;
    const arm = (alone, sites) => {
      plain = alone;
      text.withhold();
      p5.registerAddon(addon);
      if (sites) {
        calls.start(sites, arm, compartment.isUsed());
        voice.tellOf(calls.seen);
      }
      if (plain) {
        // Finished when its timers have run dry, or at the moment that was asked for.
        horizon = config.time || (config.frames > 1 ? config.frames * FRAME : config.settle);
        budget = max(500, config.time, config.frames);
        return;
      }
      horizon = budget = PATIENCE;
      for (const name of Object.getOwnPropertyNames(p5.prototype)) vocabulary[name] = true;
    };
    return arm;
  };
  // Held by the renderer too, which asks for the picture of a sketch that it ends itself.
  prime.show = voice.show;
  prime.compile = compartment.compile;
  window[config.prime] = prime;
  reach("loading");
})();
