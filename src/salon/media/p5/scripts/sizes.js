// Part of the guard: no canvas, texture or table of pixels is larger than a picture may be, however its size is set, nor
// all canvases together than thirty-two of the largest.
({ side, area, call, refuse }) => {
  const { apply, construct } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const queue = queueMicrotask;
  const of = (type, name) => getOwnPropertyDescriptor(type.prototype, name);
  const widthOf = of(HTMLCanvasElement, "width").get;
  const heightOf = of(HTMLCanvasElement, "height").get;
  const offWidthOf = of(OffscreenCanvas, "width").get;
  const offHeightOf = of(OffscreenCanvas, "height").get;
  const ownerOf = of(Attr, "ownerElement").get;
  const counted = new WeakMap();
  const { get: countOf, set: setCount } = WeakMap.prototype;
  const MOST = 32 * area;
  let total = 0;

  const check = (width, height, depth = 1) => {
    if (width > side || height > side || width * height * depth > area) refuse(width, height);
  };
  // What a canvas has now counts once it is drawn on.
  const count = (canvas, width, height) => {
    check(width, height);
    total += width * height - (call(countOf, counted, canvas) ?? 0);
    call(setCount, counted, canvas, width * height);
    if (total > MOST) refuse(width, height, total);
  };
  const sizeOf = (canvas) => {
    try {
      return [call(widthOf, canvas), call(heightOf, canvas)];
    } catch {
      return [call(offWidthOf, canvas), call(offHeightOf, canvas)];
    }
  };
  // A canvas is given its two sides one after the other: what they make together is seen when both may have been.
  const settle = (canvas) => {
    const [width, height] = sizeOf(canvas);
    if (width > side || height > side) refuse(width, height);
    if (call(countOf, counted, canvas) === undefined) return;
    if (width * height <= area) count(canvas, width, height);
    else queue(() => apply(count, null, [canvas, ...sizeOf(canvas)]));
  };
  const isCanvas = (element) => {
    try {
      call(widthOf, element);
      return true;
    } catch {
      return false;
    }
  };
  const settleElement = (element) => void (isCanvas(element) && settle(element));

  for (const type of [HTMLCanvasElement, OffscreenCanvas]) {
    for (const name of ["width", "height"]) {
      const old = of(type, name);
      defineProperty(type.prototype, name, {
        ...old,
        set(value) {
          call(old.set, this, value);
          settle(this);
        },
      });
    }
    const { getContext } = type.prototype;
    type.prototype.getContext = function (kind, attributes) {
      count(this, ...sizeOf(this));
      return call(getContext, this, kind, attributes);
    };
  }
  // Attributes of an element in the page's text, or of a copy, are seen when it is drawn on.
  const watch = (type, name, elementOf) => {
    const real = type.prototype[name];
    if (!real) return;
    type.prototype[name] = function (...args) {
      const answer = apply(real, this, args);
      settleElement(elementOf(this, args));
      return answer;
    };
  };
  for (const name of ["setAttribute", "setAttributeNS", "setAttributeNode", "setAttributeNodeNS", "toggleAttribute", "removeAttribute"])
    watch(Element, name, (self) => self);
  for (const name of ["setNamedItem", "setNamedItemNS"]) watch(NamedNodeMap, name, (_self, [node]) => call(ownerOf, node));
  for (const [type, name] of [[Attr, "value"], [Node, "nodeValue"], [Node, "textContent"]]) {
    const old = of(type, name);
    defineProperty(type.prototype, name, {
      ...old,
      set(value) {
        call(old.set, this, value);
        try {
          settleElement(call(ownerOf, this));
        } catch {
          // It is no attribute.
        }
      },
    });
  }

  // `at`: where its sizes stand, when there are at least so many arguments. They are read once: an object can change.
  const { abs } = Math;
  const sized = (type, name, least, ...at) => {
    const real = window[type]?.prototype[name];
    if (!real) return;
    window[type].prototype[name] = function (...args) {
      if (args.length >= least) {
        for (let i = 0; i < at.length; i++) args[at[i]] = +args[at[i]];
        check(abs(args[at[0]]), abs(args[at[1]]), at.length > 2 ? args[at[2]] : 1);
      }
      return apply(real, this, args);
    };
  };
  for (const type of ["CanvasRenderingContext2D", "OffscreenCanvasRenderingContext2D"]) {
    sized(type, "createImageData", 2, 0, 1);
    sized(type, "getImageData", 4, 2, 3);
  }
  for (const type of ["WebGLRenderingContext", "WebGL2RenderingContext"]) {
    sized(type, "texImage2D", 8, 3, 4);
    sized(type, "texImage3D", 9, 3, 4, 5);
    sized(type, "texStorage2D", 5, 3, 4);
    sized(type, "texStorage3D", 6, 3, 4, 5);
    sized(type, "copyTexImage2D", 8, 5, 6);
    sized(type, "drawingBufferStorage", 3, 1, 2);
    sized(type, "renderbufferStorage", 4, 2, 3);
    sized(type, "renderbufferStorageMultisample", 5, 3, 4);
  }
  const RealImageData = ImageData;
  window.ImageData = new Proxy(RealImageData, {
    construct: (target, args, made) => {
      if (typeof args[0] === "object" && ArrayBuffer.isView(args[0])) return construct(target, args, made);
      [args[0], args[1]] = [+args[0], +args[1]];
      check(args[0], args[1]);
      return construct(target, args, made);
    },
  });
  RealImageData.prototype.constructor = window.ImageData;
  const RealOffscreen = OffscreenCanvas;
  window.OffscreenCanvas = new Proxy(RealOffscreen, {
    construct: (target, args, made) => {
      [args[0], args[1]] = [+args[0], +args[1]];
      check(args[0], args[1]);
      return construct(target, args, made);
    },
  });
  RealOffscreen.prototype.constructor = window.OffscreenCanvas;
  // Of createImageBitmap, which takes (image, options) or (image, x, y, width, height, options): with its sizes read once.
  return (args) => {
    const at = args.length > 2 ? 4 : 0;
    if (at) {
      [args[2], args[3]] = [+args[2], +args[3]];
      check(abs(args[2]), abs(args[3]));
    }
    const { resizeWidth, resizeHeight, ...options } = { ...args[at] };
    if (resizeWidth !== undefined) options.resizeWidth = +resizeWidth;
    if (resizeHeight !== undefined) options.resizeHeight = +resizeHeight;
    check(options.resizeWidth ?? 1, options.resizeHeight ?? 1);
    args[at] = options;
    return args;
  };
}
