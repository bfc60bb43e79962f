// Part of the guard: what else tells the time, draws lots, or depends on what other threads are doing. All of it follows
// the virtual clock or the seeded chance; what cannot is not there.
({ now, today, uuid, schedule, call, hold, realTimeout }) => {
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const { apply, construct } = Reflect;
  const { structuredClone, DOMException, MessageEvent, EventTarget, Promise } = window;
  const { dispatchEvent } = EventTarget.prototype;
  const has = (name) => name in window && window[name]?.prototype;
  const getter = (name, key, get) => {
    const old = has(name) && getOwnPropertyDescriptor(window[name].prototype, key);
    if (old) defineProperty(window[name].prototype, key, { ...old, get, set: old.get ? old.set : undefined });
  };
  const value = (name, key, made) => {
    const old = has(name) && getOwnPropertyDescriptor(window[name].prototype, key);
    if (old) defineProperty(window[name].prototype, key, { configurable: true, enumerable: true, writable: true, value: made });
  };
  const drop = (name, ...keys) => {
    for (const key of keys) if (has(name)) delete window[name].prototype[key];
  };

  // --- clocks ------------------------------------------------------------------------------------------------------
  const stamps = new WeakMap();
  getter("Event", "timeStamp", function () {
    if (!stamps.has(this)) stamps.set(this, now());
    return stamps.get(this);
  });
  const entry = (entryType) => (name, options) => ({ name: `${name}`, entryType, startTime: now(), duration: 0, detail: options?.detail ?? null });
  value("Performance", "mark", entry("mark"));
  value("Performance", "measure", entry("measure"));
  for (const key of ["getEntries", "getEntriesByName", "getEntriesByType"]) value("Performance", key, () => []);
  drop("Performance", "timing", "navigation", "memory", "eventCounts", "interactionCount", "measureUserAgentSpecificMemory", "toJSON");
  getter("Document", "lastModified", () => "01/01/2026 00:00:00");
  getter("AnimationTimeline", "currentTime", () => now());
  for (const key of ["currentTime", "startTime", "overallProgress"]) getter("Animation", key, () => null);
  for (const [name, keys] of [["Element", ["animate", "getAnimations"]], ["Document", ["getAnimations", "startViewTransition"]]]) drop(name, ...keys);
  getter("BaseAudioContext", "currentTime", () => now() / 1000);
  for (const key of ["baseLatency", "outputLatency"]) getter("AudioContext", key, () => 0);
  value("AudioContext", "getOutputTimestamp", () => ({ contextTime: now() / 1000, performanceTime: now() }));
  getter("HTMLMediaElement", "currentTime", () => 0);
  // Streams are read by other threads, when they come to it.
  drop("HTMLMediaElement", "srcObject", "captureStream");
  drop("HTMLCanvasElement", "captureStream");
  for (const name of ["Response", "Request"]) drop(name, "body");
  drop("HTMLVideoElement", "requestVideoFrameCallback", "getVideoPlaybackQuality", "requestPictureInPicture");
  const { format: formatOf } = (({ get }) => ({ format: get }))(getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, "format"));
  const formats = new WeakMap();
  defineProperty(Intl.DateTimeFormat.prototype, "format", {
    configurable: true,
    get() {
      const format = call(formatOf, this);
      if (!formats.has(this)) formats.set(this, (date) => format(date === undefined ? today() : date));
      return formats.get(this);
    },
  });
  const { formatToParts } = Intl.DateTimeFormat.prototype;
  Intl.DateTimeFormat.prototype.formatToParts = function (date) {
    return call(formatToParts, this, date === undefined ? today() : date);
  };
  if (window.Temporal?.Now) {
    const { Instant } = Temporal;
    const zoned = (zone = "UTC") => Instant.fromEpochMilliseconds(today()).toZonedDateTimeISO(zone);
    Object.assign(Temporal.Now, {
      instant: () => Instant.fromEpochMilliseconds(today()),
      timeZoneId: () => "UTC",
      zonedDateTimeISO: zoned,
      plainDateTimeISO: (zone) => zoned(zone).toPlainDateTime(),
      plainDateISO: (zone) => zoned(zone).toPlainDate(),
      plainTimeISO: (zone) => zoned(zone).toPlainTime(),
    });
  }
  const RealFile = window.File;
  window.File = new Proxy(RealFile, {
    construct: (target, [bits, name, options], newTarget) => {
      const { lastModified = today() } = options ?? {};
      const made = construct(target, [bits, name, options], newTarget);
      dated.set(made, Number(lastModified) || 0);
      return made;
    },
  });
  RealFile.prototype.constructor = window.File;
  // One that came by another way, of a form or a folder, is as old as the first look at it.
  const dated = new WeakMap();
  const dateOf = (file) => {
    if (!dated.has(file)) dated.set(file, today());
    return dated.get(file);
  };
  getter("File", "lastModified", function () {
    return dateOf(this);
  });
  getter("File", "lastModifiedDate", function () {
    return new Date(dateOf(this));
  });
  // A cookie lasts as long as its page: what tells when it ends would tell the time.
  const { get: cookies, set: bake } = getOwnPropertyDescriptor(Document.prototype, "cookie");
  const baked = (text) => `${text}`.replace(/;\s*(?:expires|max-age)\s*=[^;]*/gi, "");
  defineProperty(Document.prototype, "cookie", {
    configurable: true,
    enumerable: true,
    get() {
      return call(cookies, this);
    },
    set(text) {
      call(bake, this, baked(text));
    },
  });
  delete window.cookieStore;
  drop("ServiceWorkerRegistration", "cookies");

  AbortSignal.timeout = (delay) => {
    const controller = new AbortController();
    schedule(() => controller.abort(new DOMException("signal timed out", "TimeoutError")), now() + delay);
    return controller.signal;
  };

  // --- chance ------------------------------------------------------------------------------------------------------
  getter("Crypto", "subtle", () => undefined);
  URL.createObjectURL = () => `blob:${location.origin}/${uuid()}`;
  URL.revokeObjectURL = () => undefined;
  const names = new WeakMap();
  for (const name of ["MediaStream", "MediaStreamTrack"]) {
    for (const key of ["id", "label"]) {
      getter(name, key, function () {
        if (!names.has(this)) names.set(this, uuid());
        return names.get(this);
      });
    }
  }
  // What the collector of garbage does is chance, too.
  window.WeakRef = class WeakRef {
    #target;
    constructor(target) {
      this.#target = target;
    }
    deref() {
      return this.#target;
    }
  };
  window.FinalizationRegistry = class FinalizationRegistry {
    register() {}
    unregister() {
      return false;
    }
  };

  // --- the machine -------------------------------------------------------------------------------------------------
  getter("Navigator", "hardwareConcurrency", () => 4);
  getter("Navigator", "deviceMemory", () => 8);
  getter("Navigator", "onLine", () => true);
  value("StorageManager", "estimate", async () => ({ quota: 2 ** 30, usage: 0, usageDetails: {} }));
  const UNWANTED = /^(connection|gpu|getBattery|getGamepads|usb|bluetooth|hid|serial|xr|wakeLock|ink|keyboard|scheduling|userAgentData|presentation|managed|devicePosture|storageBuckets|mediaCapabilities|webkitTemporaryStorage|webkitPersistentStorage|requestMIDIAccess|requestMediaKeySystemAccess|vibrate|share|windowControlsOverlay|virtualKeyboard|cpuPerformance|modelContext|preferences|protectedAudience|subApps)$/;
  for (const key of Object.getOwnPropertyNames(Navigator.prototype)) if (UNWANTED.test(key)) drop("Navigator", key);
  const GONE = [
    ...["MediaRecorder", "MediaStreamTrackProcessor", "MediaStreamTrackGenerator", "VideoFrame", "VideoEncoder", "AudioEncoder"],
    ...["AudioDecoder", "AudioData", "PressureObserver", "IdleDetector", "FileReader", "speechSynthesis", "Profiler", "SpeechSynthesisUtterance"],
    ...["Accelerometer", "Gyroscope", "LinearAccelerationSensor", "GravitySensor", "AbsoluteOrientationSensor", "RelativeOrientationSensor"],
    ...["scheduler", "TaskController", "TaskSignal", "GPU", "XRSystem", "crossOriginIsolated", "sharedStorage", "BarcodeDetector"],
    ...["webkitRequestFileSystem", "webkitResolveLocalFileSystemURL", "queryLocalFonts", "getScreenDetails", "CompressionStream"],
    ...["DecompressionStream", "EyeDropper", "cookieStore", "documentPictureInPicture", "showSaveFilePicker", "showDirectoryPicker"],
    ...["LanguageModel", "Summarizer", "Translator", "LanguageDetector", "Writer", "Rewriter", "Proofreader", "viewport"],
    ...["FileSystemObserver", "AnimationEvent", "TransitionEvent", "Animation", "KeyframeEffect"],
  ];
  for (const name of Object.getOwnPropertyNames(window)) if (/^Performance./.test(name) && name !== "PerformanceObserver") delete window[name];
  for (const name of GONE) delete window[name];
  // A database answers while others are waited for: how often would tell how long they take.
  for (const name of Object.getOwnPropertyNames(window)) if (/^IDB|^(webkit)?indexedDB$/i.test(name)) delete window[name];
  delete console.memory;
  delete Atomics.waitAsync;
  // Nothing is ever shown, so that they have nothing to tell.
  for (const name of ["PerformanceObserver", "IntersectionObserver", "ResizeObserver"]) {
    window[name] = class {
      static supportedEntryTypes = [];
      observe() {}
      unobserve() {}
      disconnect() {}
      takeRecords() {
        return [];
      }
    };
    defineProperty(window[name], "name", { value: name });
  }

  // Nobody is there to be asked, which is answered at once.
  const denied = async () => {
    throw new DOMException("there is nobody to ask", "NotAllowedError");
  };
  for (const [name, keys] of Object.entries({
    MediaDevices: ["getUserMedia", "getDisplayMedia"],
    Clipboard: ["read", "readText", "write", "writeText"],
    Element: ["requestFullscreen", "requestPointerLock"],
    HTMLMediaElement: ["play"],
    Document: ["requestStorageAccess", "hasStorageAccess", "exitFullscreen"],
  })) {
    for (const key of keys) value(name, key, denied);
  }
  value("MediaDevices", "enumerateDevices", async () => []);
  for (const key of ["getCurrentPosition", "watchPosition"])
    value("Geolocation", key, (_found, failed) => void (failed && schedule(() => failed({ code: 1, message: "denied" }), now())));
  window.Notification = class Notification extends EventTarget {
    static permission = "denied";
    static maxActions = 0;
    static requestPermission = async () => "denied";
    close() {}
  };

  // --- messages: delivered by the virtual clock, in the order that they were sent ------------------------------------
  const deliver = (target, data, more) => {
    let copy;
    copy = structuredClone(data);
    schedule(() => call(dispatchEvent, target, new MessageEvent("message", { data: copy, ...more })), now());
  };
  const handled = (Type) => {
    const handlers = new WeakMap();
    defineProperty(Type.prototype, "onmessage", {
      configurable: true,
      enumerable: true,
      get() {
        return handlers.get(this)?.handler ?? null;
      },
      set(handler) {
        if (!handlers.has(this)) {
          const own = { handler: null };
          handlers.set(this, own);
          this.addEventListener("message", (event) => typeof own.handler === "function" && call(own.handler, this, event));
        }
        handlers.get(this).handler = typeof handler === "function" ? handler : null;
      },
    });
  };
  class MessagePort extends EventTarget {
    #other = null;
    static join(one, other) {
      [one.#other, other.#other] = [other, one];
    }
    postMessage(data) {
      if (this.#other) deliver(this.#other, data);
    }
    start() {}
    close() {
      this.#other = null;
    }
  }
  handled(MessagePort);
  window.MessagePort = MessagePort;
  window.MessageChannel = class MessageChannel {
    port1 = new MessagePort();
    port2 = new MessagePort();
    constructor() {
      MessagePort.join(this.port1, this.port2);
    }
  };
  const heard = new Map();
  class BroadcastChannel extends EventTarget {
    #open = true;
    constructor(name) {
      super();
      defineProperty(this, "name", { value: `${name}` });
      if (!heard.has(this.name)) heard.set(this.name, new Set());
      heard.get(this.name).add(this);
    }
    postMessage(data) {
      if (!this.#open) throw new DOMException("the channel is closed", "InvalidStateError");
      for (const each of heard.get(this.name)) if (each !== this) deliver(each, data);
    }
    close() {
      this.#open = false;
      heard.get(this.name).delete(this);
    }
  }
  handled(BroadcastChannel);
  window.BroadcastChannel = BroadcastChannel;
  window.postMessage = (data) => deliver(window, data, { source: window, origin: location.origin });

  // --- locks ---------------------------------------------------------------------------------------------------------
  const locks = new Map();
  const grant = (name) => {
    const queue = locks.get(name);
    for (const asked of [...queue.waiting]) {
      if (queue.held.some((each) => each.mode === "exclusive") || (queue.held.length && asked.mode === "exclusive")) return;
      queue.waiting.shift();
      queue.held.push(asked);
      schedule(asked.run, now());
    }
  };
  const request = async (name, options, callback = options) => {
    name = `${name}`;
    const mode = (callback !== options && options?.mode) || "exclusive";
    if (!locks.has(name)) locks.set(name, { held: [], waiting: [] });
    const queue = locks.get(name);
    if (callback !== options && options?.ifAvailable && queue.held.length) return callback(null);
    return new Promise((resolve, reject) => {
      const lock = { name, mode };
      const release = () => (queue.held.splice(queue.held.indexOf(asked), 1), grant(name));
      const run = () => new Promise((done) => done(callback({ name, mode }))).then(
        (result) => (release(), resolve(result)), (error) => (release(), reject(error)));
      const asked = { ...lock, run };
      queue.waiting.push(asked);
      grant(name);
    });
  };
  const listed = (which) => [...locks.values()].flatMap((queue) => queue[which]).map(({ name, mode }) => ({ name, mode, clientId: "" }));
  value("LockManager", "request", request);
  value("LockManager", "query", async () => ({ held: listed("held"), pending: listed("waiting") }));

  // --- what other threads answer: the clock stands until they have, and one is asked after the other ----------------
  const later = (holder, key) => {
    const real = holder?.[key];
    if (typeof real !== "function") return;
    holder[key] = function (...args) {
      return hold(() => apply(real, this, args));
    };
  };
  const HELD = {
    Blob: ["text", "arrayBuffer", "bytes"],
    Response: ["text", "json", "arrayBuffer", "blob", "bytes", "formData"],
    Request: ["text", "json", "arrayBuffer", "blob", "bytes", "formData"],
    OffscreenCanvas: ["convertToBlob"],
    FontFace: ["load"],
    FontFaceSet: ["load"],
    HTMLImageElement: ["decode"],
    StorageManager: ["getDirectory", "persist", "persisted"],
    FileSystemDirectoryHandle: ["getFileHandle", "getDirectoryHandle", "removeEntry", "resolve"],
    FileSystemFileHandle: ["getFile", "createWritable", "move"],
    FileSystemHandle: ["isSameEntry", "remove", "queryPermission", "requestPermission"],
    FileSystemWritableFileStream: ["write", "seek", "truncate"],
    WritableStream: ["close", "abort"],
    ClipboardItem: ["getType"],
    CacheStorage: ["open", "has", "keys", "delete", "match"],
    Cache: ["put", "match", "matchAll", "keys", "delete", "add", "addAll"],
    Permissions: ["query"],
    Navigator: ["getInstalledRelatedApps"],
    NavigatorLogin: ["setStatus"],
    ScreenOrientation: ["lock"],
    ServiceWorkerContainer: ["getRegistration", "getRegistrations"],
    OfflineAudioContext: ["startRendering"],
    BaseAudioContext: ["decodeAudioData"],
  };
  for (const name in HELD) for (const key of HELD[name]) if (has(name)) later(window[name].prototype, key);
  // The entries of a folder, which are asked for one by one.
  let iterators = null;
  const { getPrototypeOf } = Object;
  for (const key of has("FileSystemDirectoryHandle") ? ["keys", "values", "entries", Symbol.asyncIterator] : []) {
    const real = FileSystemDirectoryHandle.prototype[key];
    FileSystemDirectoryHandle.prototype[key] = function () {
      const found = apply(real, this, []);
      if (!iterators) {
        iterators = getPrototypeOf(found);
        for (const step of ["next", "return"]) later(iterators, step);
      }
      return found;
    };
  }
  // In one piece.
  const { bytes } = window.Blob.prototype;
  const { ReadableStream } = window;
  value("Blob", "stream", function () {
    const asked = call(bytes, this);
    return new ReadableStream({
      type: "bytes",
      async start(controller) {
        const all = await asked;
        if (all.length) controller.enqueue(all);
        controller.close();
      },
    });
  });
  getter("FontFaceSet", "ready", function () {
    return Promise.resolve(this);
  });
  later(window, "createImageBitmap");

  // --- what a GPU has done by now: all of it --------------------------------------------------------------------------
  const gl = window.WebGL2RenderingContext?.prototype;
  const [STATUS, SIGNALED, ALREADY, AVAILABLE] = [0x9114, 0x9119, 0x911a, 0x8867];
  if (gl) {
    const { getSyncParameter, isSync, finish, endQuery, getQuery, getQueryParameter } = gl;
    value("WebGL2RenderingContext", "getSyncParameter", function (sync, name) {
      const said = call(getSyncParameter, this, sync, name);
      return name === STATUS && said !== null ? SIGNALED : said;
    });
    value("WebGL2RenderingContext", "clientWaitSync", function (sync) {
      call(finish, this);
      return call(isSync, this, sync) ? ALREADY : 0x911d;
    });
    // Its answer is there for whoever asks in a later turn: the clock stands until it is.
    value("WebGL2RenderingContext", "endQuery", function (target) {
      const query = call(getQuery, this, target, 0x8865);
      call(endQuery, this, target);
      if (!query) return;
      hold(() => new Promise((done) => {
        const look = () => {
          const open = call(getQuery, this, target, 0x8865) !== query;
          if (open && call(getQueryParameter, this, query, AVAILABLE) === false) realTimeout(look, 1);
          else done();
        };
        call(finish, this);
        look();
      }));
    });
    for (const type of [WebGLRenderingContext, WebGL2RenderingContext]) {
      const { getExtension, getSupportedExtensions } = type.prototype;
      const timed = /disjoint_timer_query/i;
      const { test } = RegExp.prototype;
      value(type.name, "getExtension", function (name) {
        name = `${name}`;
        return call(test, timed, name) ? null : call(getExtension, this, name);
      });
      value(type.name, "getSupportedExtensions", function () {
        return call(getSupportedExtensions, this)?.filter((name) => !call(test, timed, name)) ?? null;
      });
    }
  }
  const { toDataURL } = HTMLCanvasElement.prototype;
  const { atob, Blob, Uint8Array } = window;
  HTMLCanvasElement.prototype.toBlob = function (callback, kind, quality) {
    const [head, body] = call(toDataURL, this, kind, quality).split(",");
    const bytes = Uint8Array.from(body ? atob(body) : "", (letter) => letter.charCodeAt(0));
    schedule(() => callback(bytes.length ? new Blob([bytes], { type: head.slice(5, head.indexOf(";")) }) : null), now());
  };
}
