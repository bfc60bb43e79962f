// Part of the guard: a text that runs as code is a program that no check has read. The page's policy lets none run in its
// HTML. Where a program's length is counted, none runs by a function either; and bytes run nowhere.
({ counted, report }) => {
  const { defineProperty, getOwnPropertyNames, getPrototypeOf } = Object;
  const { EvalError } = window;
  const refuse = (name) => {
    report("external_access", `${name} runs a text as code (p5.strands does so, too), whose tokens nobody has counted`);
    throw new EvalError(`${name} runs no text here`);
  };
  const refusing = (real, name) => new Proxy(real, { apply: () => refuse(name), construct: () => refuse(name) });
  return {
    // Once p5.brush has made its mask, of bytes.
    withhold: () => {
      const { WebAssembly } = window;
      for (const name of getOwnPropertyNames(WebAssembly)) if (WebAssembly[name].prototype) delete WebAssembly[name].prototype.constructor;
      delete window.WebAssembly;
      if (!counted) return;
      window.eval = refusing(window.eval, "eval");
      for (const made of [() => 0, async () => 0, function* () {}, async function* () {}]) {
        const prototype = getPrototypeOf(made);
        const { constructor } = prototype;
        defineProperty(prototype, "constructor", { value: refusing(constructor, constructor.name), writable: false });
      }
      window.Function = getPrototypeOf(() => 0).constructor;
    },
  };
}
