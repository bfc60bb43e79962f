// Part of the guard: what the browser tells in a task of its own, such as a toggle or a style's load, comes before or after
// the page's timers by chance, so a sketch hears of none of it. It hears what it sends itself, what happens in the middle of
// a call of its own, and that its page has loaded.
({ call }) => {
  const { defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames } = Object;
  const { apply } = Reflect;
  const { addEventListener } = EventTarget.prototype;
  const { stopImmediatePropagation, preventDefault } = Event.prototype;
  const getter = (holder, key) => getOwnPropertyDescriptor(holder, key).get;
  const isTrusted = getter(new Event("x"), "isTrusted");
  const typeOf = getter(Event.prototype, "type");
  const targetOf = getter(Event.prototype, "target");
  const isAborted = getter(AbortSignal.prototype, "aborted");
  const setOf = (words) => {
    const found = { __proto__: null };
    for (const word of words.split(" ")) found[word] = true;
    return found;
  };
  // In the middle of a call, whoever hears of them; and of the page itself or of a signal.
  const HEARD = setOf("beforetoggle input beforeinput invalid reset submit formdata cancel command slotchange");
  const HEARD_OF_THE_PAGE = setOf("DOMContentLoaded readystatechange load error abort");
  const isOfThePage = (target) => {
    if (target === window || target === document) return true;
    try {
      call(isAborted, target);
      return true;
    } catch {
      return false;
    }
  };
  const silence = (event) => {
    if (!call(isTrusted, event)) return;
    if (HEARD_OF_THE_PAGE[call(typeOf, event)] && isOfThePage(call(targetOf, event))) return;
    call(stopImmediatePropagation, event);
  };
  // The first listener on its target.
  const watch = (target, type) => {
    if (!HEARD[type]) call(addEventListener, target, type, silence, true);
  };
  defineProperty(EventTarget.prototype, "addEventListener", {
    configurable: true,
    enumerable: true,
    writable: true,
    value: function (type, listener, ...rest) {
      if (arguments.length < 2) return apply(addEventListener, this, arguments);
      const name = `${type}`;
      watch(this, name);
      return call(addEventListener, this, name, listener, ...rest);
    },
  });
  // A body's may be its window's.
  const handled = (holder) => {
    for (const key of getOwnPropertyNames(holder)) {
      const old = key[0] === "o" && key[1] === "n" && getOwnPropertyDescriptor(holder, key);
      if (!old?.set || !old.configurable) continue;
      const type = key.slice(2);
      defineProperty(holder, key, {
        ...old,
        set(handler) {
          watch(this, type);
          watch(window, type);
          call(old.set, this, handler);
        },
      });
    }
  };
  handled(window);
  for (const name of getOwnPropertyNames(window)) if (/^[A-Z]/.test(name) && window[name]?.prototype) handled(window[name].prototype);
  // Other ways to listen.
  MediaQueryList.prototype.addListener = () => undefined;
  delete EventTarget.prototype.when;
  delete window.ReportingObserver;

  // The page's address stays as it is: how many changes of it are let through is a matter of real seconds.
  const destinationOf = getter(NavigateEvent.prototype, "destination");
  const isSameDocument = getter(NavigationDestination.prototype, "sameDocument");
  const stay = (event) => {
    if (call(isSameDocument, call(destinationOf, event))) call(preventDefault, event);
  };
  call(addEventListener, window.navigation, "navigate", stay);
  delete window.navigation;
  for (const key of ["back", "forward", "go", "pushState", "replaceState"]) History.prototype[key] = () => undefined;
}
