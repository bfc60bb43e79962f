// Part of the guard: which entry points to p5, p5.brush and canvases a sketch calls from outside of the two libraries, by
// whatever name it holds them. A library's own calls are told by where they stand in its text: the caller's script, by the
// hash of its source, and the position in it, which no sketch can choose.
({ painters, shapes, internals, marks, denied, guard, outside }) => {
  const { apply, construct, getPrototypeOf } = Reflect;
  const { isArray } = Array;
  const { hasOwnProperty } = Object.prototype;
  const { captureStackTrace } = Error;
  const { defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames } = Object;
  const { set: assign } = Reflect;
  const RealError = Error;
  let looking = false;
  let seen = "";
  const noted = { __proto__: null };
  let sites = { __proto__: null };
  defineProperty(RealError, "prepareStackTrace", {
    get: () => (looking ? (_error, frames) => frames : undefined),
    set: () => undefined,
  });
  defineProperty(RealError, "stackTraceLimit", { value: 10, writable: true, configurable: false });
  // The nearest frame of a script, past as many of the engine's own as `depth` allows.
  const callerOf = (callee, depth = 1) => {
    const holder = { __proto__: null, stack: null };
    const limit = RealError.stackTraceLimit;
    assign(RealError, "stackTraceLimit", depth);
    looking = true;
    try {
      captureStackTrace(holder, callee);
      const { stack } = holder;
      let found;
      for (let i = 0; stack && i < stack.length && !found; i++) if (i === depth - 1 || stack[i].getScriptHash()) found = stack[i];
      return found;
    } finally {
      looking = false;
      assign(RealError, "stackTraceLimit", limit);
    }
  };
  const note = (name) => {
    if (noted[name]) return;
    noted[name] = true;
    seen += seen ? `,${name}` : name;
  };
  const isLibrary = (name, callee) => {
    const frame = callerOf(callee);
    const known = frame && sites[frame.getScriptHash()]?.[name];
    return known !== undefined && known[frame.getPosition()] === true;
  };
  const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";
  // `sealed`: on a native prototype, where a sketch may put nothing in its place, on an object of it neither.
  const watched = (holder, name, told, { sealed = false, counts = () => true } = {}) => {
    const old = holder && getOwnPropertyDescriptor(holder, name);
    if (!old || typeof old.value !== "function" || !old.configurable) return;
    const real = old.value;
    const watching = function (...args) {
      if (!noted[told] && counts(args)) {
        const shadowed = sealed && isObject(this) && apply(hasOwnProperty, this, [name]);
        if (shadowed || !isLibrary(name, watching)) note(told);
      }
      return apply(real, this, args);
    };
    // A function that is bound tells of no caller but the library's. Whoever binds one asks for its name.
    const named = () => {
      if (!noted[told] && !sites[callerOf(named, 4)?.getScriptHash()]) note(told);
      return name;
    };
    defineProperty(watching, "name", { get: named, configurable: false });
    defineProperty(holder, name, sealed ? { ...old, value: watching, writable: false, configurable: false } : { ...old, value: watching });
  };
  // Nobody else makes one: p5 has its own name for them.
  const guarded = (type) => {
    if (!p5[type]) return;
    const made = new Proxy(p5[type], {
      apply: (real, self, args) => (note(type), apply(real, self, args)),
      construct: (real, args, target) => (note(type), construct(real, args, target)),
    });
    defineProperty(p5[type].prototype, "constructor", { value: made });
    p5[type] = made;
  };
  // What the libraries put their shaders together with.
  const locked = (holder) => {
    for (const name of getOwnPropertyNames(holder)) {
      const old = getOwnPropertyDescriptor(holder, name);
      if (name !== "constructor" && typeof old.value === "function" && old.configurable)
        defineProperty(holder, name, { writable: false, configurable: false });
    }
  };
  const leads = { __proto__: null };
  for (let i = 0; i < denied.length; i++) leads[denied[i]] = true;
  // A sketch computes the name of a property. It is made a text once, here: an object could make another of itself later.
  const lookAt = (computed) => {
    if (typeof computed === "number" || typeof computed === "symbol") return computed;
    const name = `${computed}`;
    if (leads[name]) note(`key.${name}`);
    else if (name[0] === "_") note("key._");
    return name;
  };
  const tableOf = (found) => {
    const table = { __proto__: null };
    for (const name in found) {
      const positions = (table[name] = { __proto__: null });
      for (let i = 0; i < found[name].length; i++) positions[found[name][i]] = true;
    }
    return table;
  };
  return {
    seen: () => seen,
    // Where the libraries' own calls stand: p5.brush's in the script that called `asker`, p5's in its own.
    start: (found, asker, isInside) => {
      if (!isInside) note(outside);
      defineProperty(window, guard, { value: lookAt });
      sites[callerOf(asker).getScriptHash()] = tableOf(found.brush);
      let hash = "";
      const addon = () => void (hash = callerOf(addon).getScriptHash());
      p5.registerAddon(addon);
      sites[hash] = tableOf(found.p5);
      // They would make p5's functions once more, on any object.
      p5._registeredAddons = new Set();
      const color = p5.Color.prototype;
      const isPicture = ([first]) => isObject(first) && !isArray(first) && getPrototypeOf(first) !== color;
      for (const holder of [p5, p5.Graphics, p5.Renderer, p5.Renderer2D, p5.Renderer3D, p5.RendererGL, p5.Framebuffer]) {
        const prototype = holder?.prototype;
        for (const name of prototype ? getOwnPropertyNames(prototype) : []) {
          const inner = /^_?(draw|render)[A-Z]/.test(name);
          if (shapes.includes(name)) watched(prototype, name, name);
          else if (inner) watched(prototype, name, /text/i.test(name) ? "text" : "model");
          else if (name === "background") watched(prototype, name, name, { counts: isPicture });
        }
      }
      for (const type of ["Shader", "Texture"]) {
        for (const name of internals) watched(p5[type]?.prototype, name, "shader");
        guarded(type);
      }
      for (const holder of [String.prototype, RegExp.prototype, Array.prototype]) locked(holder);
      const contexts = ["CanvasRenderingContext2D", "OffscreenCanvasRenderingContext2D", "WebGLRenderingContext"];
      for (const type of [...contexts, "WebGL2RenderingContext", "ImageBitmapRenderingContext"])
        for (const name of painters) watched(window[type]?.prototype, name, `canvas.${name}`, { sealed: true });
      for (const type of ["Plot", "Polygon"]) for (const name of marks) watched(brush[type].prototype, name, `brush.${name}`);
      for (const name of getOwnPropertyNames(brush)) {
        if (typeof brush[name] !== "function") continue;
        brush[name] = new Proxy(brush[name], {
          apply: (real, self, args) => (note(`brush.${name}`), apply(real, self, args)),
          construct: (real, args, made) => (note(`brush.${name}`), construct(real, args, made)),
        });
      }
    },
  };
}
