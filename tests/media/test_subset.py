# ruff: noqa: E501
"""The part of JavaScript that a list of methods allows: what is refused, what is not, and that nothing of
what is allowed leads to the canvas.
"""

import json
import re
from collections.abc import Iterator

import pytest
from unchecked import Unchecked

from salon.media.p5.checks.source_check import check_sketch, what_runs
from salon.media.p5.checks.subset import CONSTANTS, DENIED, PLAIN, SILENT, with_guarded_keys
from salon.media.p5.medium import SketchMedium
from salon.pool import Pool

PAINT = "brush.noStroke(); brush.fill('#884488', 200); brush.circle(60, 60, 30);"


def sketch(body: str, before: str = "") -> str:
    return f"{before}\nfunction setup() {{ createCanvas(200, 200, WEBGL); background(255); {PAINT} {body} }}"


ALLOWED = [
    "const { sin, PI: half } = Math; const a = [3, 1, 2].sort((x, y) => x - y).map(Math.abs); a[1 + half]++;",
    "const tones = { warm: [1, 2] }; for (const k in tones) tones[k].map((t, i) => brush.circle(t, i, 2));",
    "for (const [name, [first]] of Object.entries({ a: [1] })) brush.circle(first, name.length, 2);",
    "class Leaf { #r = 2; static few = 3; constructor(x) { this.y = x; } at() { return this.#r; } }"
    " class Big extends Leaf { at() { return super.at() + this.y; } } brush.circle(new Big(3).at(), 1, 1);",
    "const v = createVector(1, 2).add(p5.Vector.fromAngle(1)); new p5.Vector(v.x, v.y).mult(3);",
    "const mix = lerpColor(color('red'), color(0), 0.5); brush.fill(mix, 90); fill(red(mix), 0, 0);",
    "const canvas = createCanvas(100, 100, WEBGL);",
    "let canvas; canvas = createCanvas(100, 100, WEBGL);",
    "const top = 3, image = 4, window = 5; const f = (line, text) => line + text + window; f(top, image);",
    "let i, petals = [1]; petals.push(2); let sum = 0; for (i = 0; i < petals.length; i++) sum += petals[i];",
    "const half = width / 2 / (1 + 1); let n = 3; while (n --> 0) sin(n);\n--n; const q = [6][0] / 2;",
    "async function later() { await redraw(); } later();",
    "describe('a flower in red', LABEL); function f() { { function Range() {} } }",
    "const leaf = { x: 1, get w() { return this.x; }, grow() { this.x += (() => this.w)(); } }; leaf.grow();",
    "const old = { x: 1, at: function () { return this.x; } }; old.at();",
    "function keyPressed() { saveCanvas('a', 'png'); }",
    "const Self = class { me = this; m() { return () => this; } }; new Self().m();",
    "random() > 0.5 ? rotate(3) : scale(2); width > 3 && translate(1, 1); (rotate(1), push()); pop();",
    "const label = `a ${[1, 2].join('-')}`; switch (label) { case 'x': { let y = 1; y++; } default: break; }",
    "try { null.x; } catch { noLoop(); } function* numbers() { yield 1; } for (const n of numbers()) n;",
    "function f() { return arguments.length; } f(...[1]); const o = { get x() { return 1; }, ['a' + 1]: 2 };",
    "const grid = new Float32Array(9), seen = new Map([[1, 2]]); seen.set(1, grid[0]); Number('1');",
    "let n = 0; for (i = 0; i < 3; i++) total = (n += i); brush.circle(total, n, 2);",
    "function Petal(x) { this.x = x; } Petal.prototype.grow = function () { return ++this.x; }; new Petal(1).grow();",
    "class Bee extends p5.Vector { fly() { return super.mag() + (this instanceof p5.Vector); } } new Bee(1, 2).fly();",
    "const words = 'a, b'.split(/,\\s*/g), is = [/[/]}/, !/x/u.test(words[0])]; const f = w => /b/.exec(w); f('b');",
    "[1, 2].forEach(a => rotate(a)); const move = (x, y) => translate(x, y), turn = rotate; move(1, 2); turn(1);",
    "const canvas = createCanvas(100, 100, WEBGL); canvas.parent('main').style('display', 'block');",
    "const began = performance.now(); function Leaf() { if (!new.target) return new Leaf(); this.at = began; } Leaf();",
    "console.log(JSON.stringify([1])); const later = async () => { await Promise.all([]); }; later();",
]

REFUSED = [
    ("drawingContext.enable(1)", "drawingContext"),
    ("window.scale(1, 1)", "window"),
    ("document.title", "document"),
    ("xs.map(rotate)", "xs"),
    ("const f = [].constructor", "constructor"),
    ("const { constructor: f } = []", "constructor"),
    ("const { prototype } = class {}", "prototype"),
    ("let f; ({ ['constructor']: f } = [])", "a pattern names"),
    ("let f; ({ 'constructor': f } = [])", "a pattern names"),
    ("const f = []['constructor']", "constructor"),
    ("({}).__proto__.x = 1", "__proto__"),
    ("const o = { __proto__: null }", "__proto__"),
    ("[].map.call([], sin)", "call"),
    ("brush.circle.apply(1, [])", "apply"),
    ("const o = {}; o.c\\u0061ll", "without escapes"),
    ("arguments.callee", "callee"),
    ("Math.floor = sin", "Math"),
    ("[Math.floor] = [1]", "Math"),
    ("({ a: Math.floor } = { a: 1 })", "Math"),
    ("for (Math.floor of [1]);", "Math"),
    ("delete Math.floor", "Math"),
    ("Math.E++", "Math"),
    ("const m = Math", "Math"),
    ("Object.assign(Math, {})", "Math"),
    ("Object.getPrototypeOf([])", "Object"),
    ("Object.defineProperty([], 'x', {})", "Object"),
    ("class A extends Array {}", "Array"),
    ("p5.Shader.x", "p5"),
    ("p5.Vector.add = sin", "p5"),
    ("const { Vector } = p5", "p5"),
    ("new Proxy({}, {})", "Proxy"),
    ("Reflect.ownKeys([])", "Reflect"),
    ("Symbol.iterator", "Symbol"),
    ("setTimeout('rect(1, 1)')", "setTimeout"),
    ("createGraphics(1, 1)", "createGraphics"),
    ("const stamp = copy", "copy"),
    ("loadPixels()", "loadPixels"),
    ("beginClip()", "beginClip"),
    ("{ let window = 1; } window.x", "window"),
    ("{ function document() {} } document.x", "document"),
    ("function f(a = drawingContext) { var drawingContext; return a; }", "drawingContext"),
    ("const { a = drawingContext } = {}", "drawingContext"),
    ("sin(1\u2028--> 0)", "line feed"),
    ("sin(1\r--> 0)", "line feed"),
    ("const o = { '__proto__': {} }", "__proto__"),
    ("const o = { 'constructor': 1 }", "constructor"),
    ("const o = { '\\x63all': 1 }", "escapes"),
    ("const o = { bind() {} }", "bind"),
    ("const o = { get _color() { return 1; } }", "_color"),
    ("class A { 'constructor'() {} }", "constructor"),
    ("class A { call() {} }", "call"),
    ("JSON.parse('{}')", "JSON"),
    ("Object.fromEntries([])", "Object"),
    ("let q = 0, y = 0;\nq <!--y; let document = 1;\ndocument.x", "blank between"),
    ("let q = 0;\nsin(q\n--> 0); let document = 1; sin(q\n); document.x", "begin with -->"),
    ("let q = 0;\nsin(q\n/* a */ --> 0); let document = 1; sin(q\n); document.x", "begin with -->"),
    ("let g, a, b;\nconst f = x => {}\n/ a; let document = 3; b /g\ndocument.x", "a division"),
    ("let a, b, g; sin({} / a, b /g)", "a division"),
    ("await (translate(1, 1))", "await stands"),
    ("let x = 1; delete x", "deleted"),
    ("color('red')._color.space", "_color"),
    ("const { _color: inner } = color('red')", "_color"),
    ("color('red')['_color']", "_color"),
    ("[].map(x => x.getPrototypeOf)", "getPrototypeOf"),
    ("async function f() { function g() { await (translate(1, 1)); } }", "await stands"),
    ("let async = 1", "async is a word"),
    ("function* f() { function g() { yield (1); } }", "yield stands"),
    ("with ({}) x", "with"),
    ("width = 3", "width is p5's"),
    ("[Math, sin] = [1, 2]", "is p5's or the language's own"),
    ("for (color of []);", "color is p5's"),
    ("(width) = 3", "width is p5's"),
    ("for ((color) of []);", "color is p5's"),
    ("--frameCount", "frameCount is p5's"),
    ("(random)++", "random is p5's"),
    ("Array.prototype.map = sin", "Array"),
    ("p5.Vector.prototype.add = sin", "prototype"),
    ("[].map.prototype", "prototype"),
    ("class A extends p5.Color {}", "p5"),
    ("performance.timing", "performance"),
    ("let q = 1, g = 1; const r = 2\n/q/g", "a division"),
    ("if (1) /a/.test('b')", "a regular expression"),
    ("let q = 1; {} /a/.test('b')", "a regular expression"),
    ("let __key", "__key"),
    ("function f(__key) { return __key; }", "__key"),
]

BEFORE = [
    "var Range; var createGraphics; const defaultCanvas1 = 1; function Float32Array(given) { return given; }",
    "class Promise {} const OffscreenCanvas = 1; function onload(event) { event.target; }",
    "{ function Uint8Array(...given) { return given; } } switch (1) { case 1: function Range() {} }",
    "class A { s() { return this; } } function draw() {} draw = new A().s; let windowResized; windowResized = 1;",
]
"""Names that the libraries would meet, were they on the page."""


@pytest.mark.parametrize("body", ALLOWED)
def test_what_paintings_are_written_with(body: str) -> None:
    assert check_sketch(sketch(body), "watercolour") is None


@pytest.mark.parametrize(("body", "told"), REFUSED)
def test_what_leads_to_the_canvas(body: str, told: str) -> None:
    found = check_sketch(sketch(body), "watercolour")
    assert found is not None
    assert found.code == "forbidden_name"
    assert re.search(told, found.message)
    assert check_sketch(sketch(body), "any") is None


@pytest.mark.parametrize("before", BEFORE)
def test_a_programs_names_are_its_own(before: str) -> None:
    assert check_sketch(sketch("", before), "watercolour") is None


def test_the_pools_paintings_are_within_it() -> None:
    sources = [item.reference.source for item in Pool.load("flowers").items]
    found = [check_sketch(source, "watercolour") for source in sources if source]
    assert len(found) > 300
    assert not [each for each in found if each is not None and each.code == "forbidden_name"]


def test_computed_names_are_shown_to_the_page() -> None:
    assert (
        with_guarded_keys("a[b + c][0] = d?.[`x${e[f]}`]")
        == "a[__key((b + c))][0] = d?.[__key((`x${e[__key((f))]}`))]"
    )
    assert (
        with_guarded_keys("a[b, c]; x = [y]; const { z: w } = q")
        == "a[__key((b, c))]; x = [y]; const { z: w } = q"
    )
    painting = sketch("const k = [1]; k[k.length - 1];")
    assert "__key((k.length - 1))" in what_runs(painting)
    plain = "function setup() { createCanvas(9, 9); const k = [1]; k[k.length - 1]; }"
    assert "__key" not in what_runs(plain)


@pytest.fixture(scope="module")
def medium() -> Iterator[SketchMedium]:
    medium = Unchecked(workers=1)
    yield medium
    medium.close()


COMPUTED = [
    ("const k = 'const' + 'ructor'; [][k];", "key.constructor"),
    ("const a = ['pro', 'totype'].join(''); class Q {} Q[a] = 1;", "key.prototype"),
    ("({})['__pro' + 'to__'];", "key._"),
    ("color('red')['_co' + 'lor'];", "key._"),
    ("const o = { toString() { return 'call'; } }; sin[o];", "key.call"),
    ("const o = { toString: () => ['bind'] }; sin?.[['bind']];", "key.bind"),
    ("[][`${'constr'}uctor`] = 1;", "key.constructor"),
    ("const o = { ['__pro' + 'to__']: {} };", "key._"),
    ("class A { ['bi' + 'nd']() {} }", "key.bind"),
]


@pytest.mark.browser
def test_what_is_allowed_runs() -> None:
    sources = [*(sketch(body) for body in ALLOWED), *(sketch("", before) for before in BEFORE)]
    medium = SketchMedium(workers=1, methods="watercolour")
    try:
        made = medium.render(sources, [1] * len(sources))
    finally:
        medium.close()
    # One that makes its canvas anew has painted on the first.
    told = {source: each.failure for source, each in zip(sources, made, strict=True) if each.failure}
    assert {source: each for source, each in told.items() if each.code != "blank_canvas"} == {}
    assert all("createCanvas(100" in source for source in told)


@pytest.mark.browser
def test_a_computed_name_is_seen_when_it_runs(medium: SketchMedium) -> None:
    made = medium.render([sketch(body) for body, _ in COMPUTED], [1] * len(COMPUTED))
    for (body, call), rendering in zip(COMPUTED, made, strict=True):
        assert rendering.calls is not None, body
        assert call in rendering.calls, body


@pytest.mark.browser
def test_a_name_is_made_a_text_once(medium: SketchMedium) -> None:
    body = (
        "let n = 0; const o = { toString() { return n++ ? 'constructor' : 'at'; } };"
        "if ([][o].name === 'at') throw Error('at');"
    )
    (made,) = medium.render([sketch(body)], [1])
    assert made.failure is not None
    assert "at" in made.failure.message
    assert made.calls is not None
    assert not [call for call in made.calls if call.startswith("key.")]


@pytest.mark.browser
def test_a_polygons_fill_is_brushs() -> None:
    """It sets the colour of what brush paints next, and keeps it where an argument throws."""
    body = """const leaf = new brush.Polygon([[20, 20], [180, 20], [100, 180]]);
      try { leaf.fill('red', 200, { valueOf() { throw 1; } }); } catch {} brush.circle(100, 100, 60);"""
    source = f"function setup() {{ createCanvas(200, 200, WEBGL); brush.noStroke(); {body} }}"
    medium = SketchMedium(workers=1, methods=["Polygon", "circle", "noStroke"])
    try:
        (made,) = medium.render([source], [1])
    finally:
        medium.close()
    assert made.failure is not None
    assert made.failure.code == "unknown_brush_method"
    assert "brush.fill" in made.failure.message


LOOKING = """
const denied = new Set(DENIED), given = [], missing = [], wrong = [];
const samples = [[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4, 5], ['red'], [[1, 2]], ['red', 'blue', 0.5]];
for (const name of PLAIN) {
  if (!(name in window)) { missing.push(name); continue; }
  given.push([name, window[name]]);
  if (typeof window[name] !== 'function') continue;
  for (const args of samples) {
    try { given.push([name, window[name](...args)]); } catch { /* It wants other arguments. */ }
  }
}
for (const name of [...SILENT, ...CONSTANTS]) if (!(name in window)) missing.push(name);
const values = { vector: createVector(1, 2, 3), color: color('red'), polygon: brush.circle(9, 9, 9) };
values.Vector = p5.Vector;
for (const [name, value] of Object.entries(values)) {
  given.push([name, value]);
  for (let holder = value; holder && holder !== Object.prototype; holder = Object.getPrototypeOf(holder))
    for (const method of Object.getOwnPropertyNames(holder)) {
      if (denied.has(method) || method[0] === '_' || typeof value[method] !== 'function') continue;
      for (const args of [...samples, [values.vector], [values.color]])
        try { given.push([name + '.' + method + '()', value[method](...args)]); } catch { /* As above. */ }
    }
}
const powers = new Map([
  [window, 'window'], [document, 'document'], [p5.instance, 'p5'], [p5, 'the class'],
  [p5.prototype, 'prototype'],
  [drawingContext, 'context'], [drawingContext.canvas, 'canvas'], [p5.instance._renderer, 'renderer'],
  [(() => 0).constructor, 'the class of functions'], [Object, 'Object'],
]);
const seen = new Set(), waiting = [...given];
while (waiting.length) {
  const [path, value] = waiting.pop();
  if (value === null || !['object', 'function'].includes(typeof value) || seen.has(value)) continue;
  if (powers.has(value)) { wrong.push(path + ' is ' + powers.get(value)); continue; }
  seen.add(value);
  for (let holder = value; holder; holder = Object.getPrototypeOf(holder))
    for (const name of Object.getOwnPropertyNames(holder)) {
      if (denied.has(name) || name[0] === '_') continue;
      let found;
      try { found = value[name]; } catch { continue; }
      waiting.push([path + '.' + name, found]);
    }
}
throw Error('@' + JSON.stringify([seen.size, missing, [...new Set(wrong)].slice(0, 8)]) + '@');
"""


@pytest.mark.browser
def test_nothing_that_is_given_leads_to_the_page(medium: SketchMedium) -> None:
    names = {"DENIED": DENIED, "PLAIN": PLAIN - {"arguments"}, "SILENT": SILENT, "CONSTANTS": CONSTANTS}
    lists = "".join(f"const {name} = {json.dumps(sorted(words))};" for name, words in names.items())
    (made,) = medium.render([sketch(lists + LOOKING)], [1])
    assert made.failure is not None
    assert "@" in made.failure.message, made.failure
    told = made.failure.message.split("@")[1]
    seen, missing, wrong = json.loads(told)
    assert seen > 100
    assert missing == []
    assert " ".join(wrong) == ""
