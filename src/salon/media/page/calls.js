// Part of the guard: which entry points to p5, p5.brush and canvases a sketch calls from outside of the two libraries, by
// whatever name it holds them. A library's own calls are told by where they stand in its text: the caller's script, by the
// hash of its source, and the position in it, which no sketch can choose.
({ painters, shapes, marks }) => {
  const { apply, construct } = Reflect;
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
  const callerOf = (callee) => {
    const holder = { __proto__: null, stack: null };
    const limit = RealError.stackTraceLimit;
    assign(RealError, "stackTraceLimit", 1);
    looking = true;
    try {
      captureStackTrace(holder, callee);
      return holder.stack?.[0];
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
  const watched = (holder, name, told) => {
    const old = holder && getOwnPropertyDescriptor(holder, name);
    if (!old || typeof old.value !== "function" || !old.configurable) return;
    const real = old.value;
    const watching = function (...args) {
      if (!noted[told] && !isLibrary(name, watching)) note(told);
      return apply(real, this, args);
    };
    defineProperty(holder, name, { ...old, value: watching });
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
    start: (found, asker) => {
      sites[callerOf(asker).getScriptHash()] = tableOf(found.brush);
      let hash = "";
      const addon = () => void (hash = callerOf(addon).getScriptHash());
      p5.registerAddon(addon);
      sites[hash] = tableOf(found.p5);
      // They would make p5's functions once more, on any object.
      p5._registeredAddons = new Set();
      for (const name of shapes) watched(p5.prototype, name, name);
      for (const type of ["Graphics", "Renderer", "Renderer2D", "Renderer3D", "RendererGL", "Framebuffer"]) {
        const prototype = p5[type]?.prototype;
        for (const name of prototype ? getOwnPropertyNames(prototype) : []) {
          if (shapes.includes(name) || /^_?draw[A-Z]/.test(name)) watched(prototype, name, shapes.includes(name) ? name : "model");
        }
      }
      const contexts = ["CanvasRenderingContext2D", "OffscreenCanvasRenderingContext2D", "WebGLRenderingContext"];
      for (const type of [...contexts, "WebGL2RenderingContext", "ImageBitmapRenderingContext"])
        for (const name of painters) watched(window[type]?.prototype, name, `canvas.${name}`);
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
