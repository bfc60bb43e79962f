// Part of the guard: the compartment that a program of the subset runs in. The program is the body of a strict function whose
// parameters are all the words of its text: V8 itself finds for each name what the program declares, what is lent here, or
// nothing. No name of the page is among that, whatever a parser thought of the program.
({ open, silent, hooks, namespaces, callable, newable, reserved, values, marks, inner, ofCanvas, keeping }) => {
  const { apply, construct, getPrototypeOf } = Reflect;
  const { defineProperty, entries, freeze, fromEntries, getOwnPropertyDescriptor, getOwnPropertyNames } = Object;
  const { isArray } = Array;
  const { isView } = ArrayBuffer;
  const { map } = Array.prototype;
  const { slice } = getPrototypeOf(Uint8Array.prototype);
  const { hasInstance } = Symbol;
  const { then } = Promise.prototype;
  const RealFunction = Function;
  const RealPromise = Promise;
  const { bind, [hasInstance]: isOf } = Function.prototype;
  const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/gu;
  const ESCAPE = /\\u(?:([0-9a-f]{4})|\{([0-9a-f]+)\})/gi;
  // How many lines V8 puts before the body of a function that is made of texts.
  const LINES_BEFORE = 2;
  const spaces = { __proto__: null, ...namespaces };
  let words = [];
  let made = null;

  const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";
  const locked = (holder, name) => {
    if (getOwnPropertyDescriptor(holder, name).configurable) defineProperty(holder, name, { writable: false, configurable: false });
  };
  const tableOf = (names, value = true) => fromEntries(names.map((name) => [name, value]));
  const bare = (members) => freeze({ __proto__: null, ...members });
  const unnamed = { __proto__: null, ...tableOf(reserved), ...tableOf(open) };
  const letter = (whole, four, more) => {
    const code = parseInt(four ?? more, 16);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  };
  // A name may be written with escapes. A word of a text or a comment that no name stands for is one parameter too many.
  const wordsOf = (text) => [...new Set([text, text.replace(ESCAPE, letter)].flatMap((each) => each.match(WORD) ?? []))];
  // What p5 calls: nothing of what it has in hand is given to them.
  const offer = (name) => `${name}:typeof ${name}=="function"?()=>${name}():void 0`;
  // Does a name at the top of a program mean something else on the page? p5 makes the two names of its instance later.
  const isTaken = (name) => !hooks.includes(name) && (name in window || name in p5.prototype || ["canvas", "hitCriticalError"].includes(name));
  // Returns "", or what V8 says is wrong. It takes the whole text for one function or refuses it.
  const compile = (program, shared) => {
    if (shared.some(isTaken)) return "a name is the page's as well";
    words = wordsOf(program).filter((word) => !unnamed[word]);
    const offered = hooks.filter((name) => words.includes(name)).map(offer);
    const body = `"use strict";return function(){${program}\n;return{${offered}}}\n//# sourceURL=sketch.js`;
    try {
      made = construct(RealFunction, [...words, body]);
      return "";
    } catch (error) {
      return `${error}`;
    }
  };

  // What a library keeps is a copy, and of a view its numbers alone: as an object it may have a program's properties. The
  // functions in it are given no object of the library's.
  const isPlain = (value) => !isObject(value) || isArray(value) || isView(value);
  const muffled = (own) => (...args) => apply(own, undefined, args.map((each) => (isPlain(each) ? each : undefined)));
  const copied = (value, ofFunction = muffled, depth = 4) => {
    if (typeof value === "function") return ofFunction(value);
    if (!isObject(value)) return value;
    if (isView(value)) return apply(slice, value, []);
    if (!depth) return undefined;
    if (isArray(value)) return apply(map, value, [(each) => copied(each, ofFunction, depth - 1)]);
    return fromEntries(entries(value).map(([name, each]) => [name, copied(each, ofFunction, depth - 1)]));
  };
  const canvas = bare(fromEntries(ofCanvas.map((name) => [name, () => canvas])));
  // p5 takes a canvas of one's own as an element and paints on it, whatever it is, and keeps the attributes.
  const ofArguments = {
    __proto__: null,
    createCanvas: (args) => args.map((each) => (isObject(each) ? undefined : each)),
    setAttributes: (args) => args.map((each) => copied(each, () => undefined)),
  };
  const same = (args) => args;
  // Called by its name on the page, where p5 puts it when it starts. What it gives may be p5 or its renderer: a
  // plain value is told, and when it is done.
  const quiet = (name) => (...args) => {
    const real = window[name];
    if (typeof real !== "function") throw new ReferenceError(`${name} is not defined`);
    const given = apply(real, window, (ofArguments[name] ?? same)(args));
    if (name === "createCanvas") return canvas;
    if (apply(isOf, RealPromise, [given])) return apply(then, given, [() => undefined]);
    if (!isObject(given)) return given;
  };
  const told = (value) => `${value}`.replace(/[<&]/g, "");
  // V8 knows the functions of Math, bound ones less well.
  const bound = (real, holder) => (holder === Math ? real : apply(bind, real, [holder]));
  const ofBrush = (real, holder, name) => (keeping.includes(name) ? (...args) => apply(real, holder, args.map((each) => copied(each))) : bound(real, holder));
  const membersOf = (holder, names, held = bound) => {
    const chosen = (names ?? getOwnPropertyNames(holder)).filter((name) => name !== "prototype");
    return fromEntries(chosen.map((name) => [name, typeof holder[name] === "function" ? held(holder[name], holder, name) : holder[name]]));
  };
  const instances = (real) => ({ value: (value) => apply(isOf, real, [value]) });
  const namespace = (name) => {
    const holder = window[name];
    const lent = { __proto__: null, ...membersOf(holder, spaces[name]) };
    if (typeof holder === "function") defineProperty(lent, hasInstance, instances(holder));
    return freeze(lent);
  };
  const classOf = (name, real = window[name]) => {
    const lent = function (...args) {
      return new.target || !callable.includes(name) ? construct(real, args) : apply(real, undefined, args);
    };
    const members = name in spaces ? membersOf(real, spaces[name]) : {};
    for (const [key, value] of entries(members)) defineProperty(lent, key, { value });
    defineProperty(lent, hasInstance, instances(real));
    defineProperty(lent, "prototype", { value: null });
    return freeze(lent);
  };
  const brushOf = () => {
    const made = marks.map((name) => [name, classOf(name, brush[name])]);
    return bare({ ...membersOf(brush, undefined, ofBrush), ...fromEntries(made) });
  };
  const lend = (name) => {
    if (silent.includes(name)) return quiet(name);
    if (callable.includes(name) || newable.includes(name)) return classOf(name);
    if (name in spaces) return namespace(name);
    if (values.includes(name)) return window[name];
    if (name === "describe") return (...texts) => void window.describe(...texts.map(told));
    if (name === "p5") return bare({ Vector: p5.Vector });
    if (name === "brush") return brushOf();
  };

  // From a value to what made it, and from there to what all values inherit: no property leads there any more. Nor does a text
  // become code. What a promise was made by is locked (guard.js), and so is then what it leads to.
  const sever = () => {
    for (const name of getOwnPropertyNames(Object.prototype)) if (name.startsWith("__")) delete Object.prototype[name];
    const kinds = [async () => 0, function* () {}, async function* () {}, [].values(), "".matchAll(/a/g)];
    const inherited = new Set();
    for (const first of [...kinds, ...kinds.map((kind) => kind.prototype), ...inner.map((name) => window[name]?.prototype)])
      for (let each = first; each; each = getPrototypeOf(each)) inherited.add(each);
    for (const each of inherited) {
      const old = getOwnPropertyDescriptor(each, "constructor");
      if (old?.configurable) defineProperty(each, "constructor", { value: undefined, writable: true });
    }
    for (const holder of [RealPromise, RealPromise.prototype]) for (const name of getOwnPropertyNames(holder)) locked(holder, name);
    delete window.eval;
    const policy = document.createElement("meta");
    policy.httpEquiv = "Content-Security-Policy";
    policy.content = "script-src 'self' 'wasm-unsafe-eval'";
    document.head.append(policy);
  };
  const run = () => {
    sever();
    const hook = apply(made, undefined, words.map(lend));
    const found = apply(hook, undefined, []);
    for (const name of hooks) {
      const own = found[name];
      if (typeof own === "function") window[name] = () => apply(own, undefined, []);
    }
  };
  return { compile, run, isUsed: () => made !== null, lineOf: (line) => (made && line > LINES_BEFORE ? line - LINES_BEFORE : line) };
}
