# ruff: noqa: E501
"""The compartment that a list's programs run in. The static checks are switched off here: each of these programs
does what they refuse, or is told to the page as one that they let through, and V8 alone holds it.
"""

import json
import re
from collections.abc import Iterator

import pytest
from unchecked import Unchecked

from salon.media.p5 import compartment
from salon.media.p5.checks.source_check import check_calls, check_sketch, scope_of
from salon.media.p5.checks.subset import CALLABLE, NAMESPACES, NEWABLE, PLAIN, SILENT
from salon.media.p5.checks.vocabulary import words
from salon.media.p5.compartment import COMPARTMENT, OUTSIDE, PAGE, Scope
from salon.media.p5.medium import SketchMedium
from salon.scorers.gates.sketch_gate import SketchGate
from salon.types import Group, Prompt, Rendering, Sample

pytestmark = pytest.mark.browser

PAINT = "brush.noStroke(); brush.fill('#884488', 200); brush.circle(60, 60, 30);"
PAINTED = ("brush.circle", "brush.fill", "brush.noStroke")


def sketch(body: str, before: str = "") -> str:
    return f"{before}\nfunction setup() {{ createCanvas(200, 200, WEBGL); background(255); {PAINT}\n{body} }}"


@pytest.fixture(scope="module")
def medium() -> Iterator[SketchMedium]:
    medium = Unchecked(workers=1, methods="watercolour")
    yield medium
    medium.close()


def message(made: Rendering) -> str:
    assert made.failure is not None
    return made.failure.message


def thrown(made: Rendering) -> object:
    """What a sketch threw as JSON between two @."""
    found = re.search("@(.*)@", message(made))
    assert found, made.failure
    return json.loads(found[1])


RESETTING = {"createCanvas", "resizeCanvas", "setAttributes"}

OF_THE_PAGE = sorted(
    words("""
    window self globalThis document top parent frames navigator location eval Function Reflect Proxy Symbol
    RegExp setTimeout requestAnimationFrame drawingContext canvas pixels createGraphics image rect text filter
    loadPixels set copy shader createShader createFramebuffer buildGeometry clip select _renderer elt
    defaultCanvas0 HTMLCanvasElement WebGL2RenderingContext OffscreenCanvas WebAssembly Worker fetch Image
    toString valueOf constructor __proto__ hasOwnProperty p5instance
""")
)


def test_no_name_of_the_page_is_found(medium: SketchMedium) -> None:
    """Wherever it stands: also where an analysis may think that the program declares it."""
    told = ", ".join(f"typeof {name}" for name in OF_THE_PAGE)
    escaped = "typeof docu\\u006dent, typeof \\u{77}indow, typeof \\u{000000077}indow"
    hidden = "(function (a = typeof document) { var document; return a; })()"
    later = (
        "(() => { try { delete 1; { let window = 1; } return typeof window; } catch { return 'caught'; } })()"
    )
    body = f"""const kinds = [{told}, {escaped}, {hidden}, {later}];
      throw Error('@' + JSON.stringify([kinds.length, ...new Set(kinds)]) + '@');"""
    (made,) = medium.render([sketch(body)], [1])
    assert thrown(made) == [len(OF_THE_PAGE) + 5, "undefined"]
    assert made.calls == PAINTED


def test_a_name_that_the_page_gets_later_is_not_found(medium: SketchMedium) -> None:
    """An element has its name on the page as soon as it has an id."""
    body = "describe('a flower'); const names = [typeof defaultCanvas0_Description, typeof defaultCanvas0fallbackDesc];"
    (made,) = medium.render([sketch(body + "throw Error('@' + JSON.stringify(names) + '@');")], [1])
    assert thrown(made) == ["undefined", "undefined"]


ESCAPES = [
    "}; window.scale(2); function setup() { createCanvas(9, 9); ",
    "}}; window.scale(2); (function () { return function () { function setup() { ",
    "}}}); window.scale(2); (function () { return (function () { function setup() { ",
    "/* } */ }\n} window.scale(2); { {",
    "`}`; } ) ; window.scale(2); ( function () { ",
]


@pytest.mark.parametrize("way", ESCAPES)
def test_a_brace_that_closes_too_early_leads_nowhere(way: str, medium: SketchMedium) -> None:
    whole = f"function setup() {{ createCanvas(200, 200, WEBGL); {PAINT} {way} }}"
    top = f"{way} }} function setup() {{ createCanvas(200, 200, WEBGL); {PAINT} }}"
    for made in medium.render([whole, top], [1, 1]):
        assert made.failure is not None
        assert made.failure.code in ("syntax_error", "threw")
        assert made.failure.code == "syntax_error" or "undefined" in message(made)


def test_nothing_runs_of_what_v8_cannot_read(medium: SketchMedium) -> None:
    (made,) = medium.render([sketch("", "const let = 1; brush.circle(1, 1, 1);")], [1])
    assert made.failure is not None
    assert made.failure.code == "syntax_error"
    assert (made.picture, made.calls) == (None, None)


CODE = [
    "eval('1')",
    "(0, eval)('1')",
    "(() => 1).constructor('return 1')()",
    "(async () => 1).constructor('return 1')()",
    "(function* () {}).constructor('yield 1')().next()",
    "(function* () {})().constructor.constructor('yield 1')",
    "(async function* () {}).constructor('yield 1')",
    "sin.constructor('return 1')()",
    "brush.circle.constructor('return 1')()",
    "Array.from.constructor('return 1')()",
    "class A { static f() {} } A.f.constructor('return 1')()",
]


def test_no_text_becomes_code(medium: SketchMedium) -> None:
    bodies = [f"throw Error('it is ' + ({code}));" if "class" not in code else f"{code};" for code in CODE]
    for code, made in zip(
        CODE, medium.render([sketch(body) for body in bodies], [1] * len(CODE)), strict=True
    ):
        assert re.search("is not (a function|defined)|of undefined", message(made)), (code, made.failure)


def test_v8_itself_makes_no_code_of_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Had a program the page's own Function after all."""
    monkeypatch.setattr(compartment, "PLAIN", PLAIN | {"Function"})
    medium = Unchecked(workers=1, methods="watercolour")
    try:
        (made,) = medium.render([sketch("Function('return 1')();")], [1])
    finally:
        medium.close()
    assert made.failure is not None
    assert made.failure.code in ("external_access", "threw")
    assert "eval" in message(made)


MODULES = [
    "data:text/javascript,globalThis.scale(2)",
    "/p5.js",
    "/sketch.js",
    "blob:https://sketch.invalid/1",
]


def test_no_module_is_imported(medium: SketchMedium) -> None:
    """It would run with the names of the page."""
    bodies = [f"import({json.dumps(each)}).catch(() => 0);" for each in MODULES]
    for each, made in zip(MODULES, medium.render([sketch(body) for body in bodies], [1] * 4), strict=True):
        assert made.failure is not None, each
        assert made.failure.code == "external_access", each


PROTOTYPES = [
    "({}).__proto__",
    "[].__proto__",
    "(() => 1).__proto__",
    "(() => 1).constructor",
    "(async () => 1).constructor",
    "(function* () {})().constructor",
    "({}).constructor",
    "[].constructor",
    "''.constructor",
    "(1).constructor",
    "[].values().constructor",
    "new Map().constructor",
    "new Float32Array(1).constructor",
    "new Float32Array(1).buffer.constructor",
    "new Date().constructor",
    "Error('a').constructor",
    "({}).__lookupGetter__",
    "Array.prototype",
    "Object.prototype",
    "Map.prototype",
    "Math.constructor",
    "brush.constructor",
    "brush.Polygon.prototype",
    "Object.getPrototypeOf",
    "Object.defineProperty",
]


@pytest.mark.parametrize("most", [None, 5000])
def test_no_value_leads_to_what_all_inherit(most: int | None) -> None:
    """Nor where a program's tokens are counted, and functions made of texts are refused by name."""
    told = ", ".join(f"String({each} ?? 'nothing')" for each in PROTOTYPES)
    medium = Unchecked(workers=1, methods="watercolour", max_tokens=most)
    try:
        painted, made = medium.render(
            [sketch(""), sketch(f"throw Error('@' + JSON.stringify([{told}]) + '@');")], [1, 1]
        )
    finally:
        medium.close()
    assert painted.failure is None
    assert thrown(made) == ["nothing"] * len(PROTOTYPES)


def test_nothing_is_this(medium: SketchMedium) -> None:
    seen = "seen.push(String(this));"
    before = f"""const seen = []; {seen} (function () {{ {seen} }})(); const o = {{ m() {{ {seen} }} }};
      const m = o.m; m(); class A {{ m() {{ {seen} }} }} (0, new A().m)();
      function draw() {{ {seen} [1].map(function () {{ {seen} }}); throw Error('@' + JSON.stringify(seen) + '@'); }}"""
    (made,) = medium.render([sketch(seen, before)], [1])
    assert thrown(made) == ["undefined"] * 7


def test_what_p5_calls_is_called_on_nothing(medium: SketchMedium) -> None:
    """Also where a program hands it over itself."""
    body = f"createCanvas(200, 200, WEBGL); {PAINT} throw Error('@' + JSON.stringify([String(this)]) + '@');"
    (made,) = medium.render(
        [f"return {{ setup() {{ {body} }}, createCanvas() {{ throw Error('mine'); }} }};"], [1]
    )
    assert thrown(made) == ["undefined"]


def test_what_would_give_p5_gives_nothing_of_it(medium: SketchMedium) -> None:
    body = """const given = [translate(1, 1), rotate(1), scale(1), rectMode(CENTER), noFill(), clear(), smooth(),
        redraw() instanceof Promise];
      throw Error('@' + JSON.stringify(given.map(each => each ?? 'nothing')) + '@');"""
    (made,) = medium.render([sketch(body)], [1])
    assert thrown(made) == ["nothing"] * 7 + [True]


def test_a_library_gives_its_objects_to_no_function_of_a_program(medium: SketchMedium) -> None:
    body = """const seen = [];
      brush.add('mine', { type: 'custom', weight: 5, scatter: 0, opacity: 30, spacing: 1, blend: false,
        pressure: { type: 'custom', curve: x => (seen.push(typeof x), 1), min_max: [1, 1] },
        tip: (...given) => { seen.push(given.length, typeof given[0]); } });
      brush.addField('waves', (t, field) => { seen.push(typeof t, typeof field); return field; });
      throw Error('@' + JSON.stringify(seen) + '@');"""
    (made,) = medium.render([sketch(body)], [1])
    assert set(thrown(made)) >= {1, "undefined"}  # type: ignore[call-overload]
    assert "object" not in str(thrown(made)).replace("'number', 'object'", "")


def test_a_canvas_of_a_programs_own_is_no_canvas(medium: SketchMedium) -> None:
    """p5 would ask it for a context, and hand it what it has."""
    body = """const told = [], asked = (...given) => { told.push(given.length); return fake; };
      const fake = Object.assign(new Float32Array(1), { id: '\"><b>', style: {}, classList: { add: asked }, getContext: asked });
      for (const each of [fake, { ...fake, style: {} }, () => fake])
        for (const args of [[WEBGL, each], [each]]) try { createCanvas(100, 100, ...args); } catch { told.push('threw'); }
      throw Error('@' + JSON.stringify(told) + '@');"""
    (made,) = medium.render([sketch(body)], [1])
    assert thrown(made) == []


def test_a_view_hands_nothing_but_its_numbers_to_a_library(medium: SketchMedium) -> None:
    body = """const told = [], kind = new Float32Array(4), tip = (...given) => { told.push(...given.map(each => typeof each)); };
      Object.assign(kind, { type: 'custom', weight: 5, scatter: 0, opacity: 30, spacing: 1, blend: false, tip });
      kind.pressure = { type: 'custom', curve: () => 1, min_max: [1, 1] };
      try { brush.add('mine', kind); brush.set('mine', 'red', 1); brush.line(1, 2, 50, 60); } catch { told.push('threw'); }
      throw Error('@' + JSON.stringify(told) + '@');"""
    (made,) = medium.render([sketch(body)], [1])
    assert "object" not in thrown(made)  # type: ignore[operator]


def test_on_a_2d_canvas_no_function_gives_the_renderer(medium: SketchMedium) -> None:
    """Where p5's own give something else than on the canvas that p5.brush paints on."""
    calls = ", ".join(f"() => {name}({given})" for name in sorted(SILENT - RESETTING) for given in ("", "3"))
    body = f"""createCanvas(200, 200); const told = [];
      for (const call of [{calls}]) try {{
        const given = call();
        if (given !== null && typeof given === 'object' && !(given instanceof Promise)) told.push(String(call));
      }} catch {{ /* It wants other arguments. */ }}
      throw Error('@' + JSON.stringify(told) + '@');"""
    (made,) = medium.render([sketch(body)], [1])
    assert thrown(made) == []


FREE = [
    "const c = createCanvas(200, 200, WEBGL); told.push(c.elt, c.canvas, c.parent('main').id().elt);",
    "told.push((() => translate(1, 1))(), [1].map(rotate)[0]); const move = translate; told.push(move(1, 1));",
    "if (0) createGraphics = 1; told.push(createGraphics);",
    "if (0) defaultCanvas0 = 1; told.push(defaultCanvas0);",
    "let c; const f = () => (c = translate(0, 0)); told.push(f(), c);",
    "let w; class A { [(w = this, 'x')]() {} } told.push(w);",
    "class A { [(() => { class B { [(told.push(this), 'm')]() {} } })()]() {} }",
    "const { m } = { m() { return super.constructor; } }; told.push(m());",
    "let w; class A { static { w = super.prototype; } } told.push(w);",
    "function f() { return this; } told.push(f(), [1].map(f)[0], (0, f)());",
    "const o = { f() { return (function () { return this; })(); } }; told.push(o.f());",
    "const { m } = { m() { return this; } }; told.push(m());",
    "function F() { told.push(new.target); } F();",
    "function Petal() {} told.push(Petal.prototype.constructor.constructor, Petal.prototype.__proto__);",
    "const tell = describe; told.push(tell('<style onload=1>'));",
    "told.push(/a/.constructor, performance.timing, performance.constructor, p5.Vector.constructor);",
    "class Bee extends p5.Vector {} told.push(new Bee(1, 2)._pInst, new Bee(1, 2).p5, Bee.__proto__);",
]


def test_what_is_allowed_for_the_compartments_sake_finds_nothing(medium: SketchMedium) -> None:
    ends = "throw Error('@' + JSON.stringify(told.filter(each => each !== undefined).map(String)) + '@');"
    sources = [sketch(f"const told = []; {body} {ends}") for body in FREE]
    for body, made in zip(FREE, medium.render(sources, [1] * len(FREE)), strict=True):
        assert (thrown(made), made.calls) == ([], PAINTED), body


def test_a_name_that_gets_a_value_and_no_declaration_is_the_programs(medium: SketchMedium) -> None:
    before = "location = 'http://x'; document = { title: 'mine' }; let n = 0; for (i = 0; i < 3; i++) n += i;"
    (made,) = medium.render(
        [sketch("throw Error('@' + JSON.stringify([location, document.title, i, n]) + '@');", before)], [1]
    )
    assert thrown(made) == ["http://x", "mine", 3, 3]
    assert check_sketch(sketch("", before), "watercolour") is None


WALK = """
const given = [], wrong = [];
const samples = [[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4, 5], ['red'], [[1, 2]], ['red', 'blue', 0.5]];
const tried = (path, make) => { try { given.push([path, make()]); } catch { /* It wants other arguments. */ } };
let about = '';
const heard = [];
const spy = new Proxy(function () {}, {
  get: (made, key) => key === Symbol.toPrimitive ? () => 1 : key === Symbol.iterator ? undefined : key === 'length' ? 3 : spy,
  has: () => true,
  apply: (made, self, args) => (heard.push([about + ' calls on', self], [about + ' hands on', args]), spy),
  construct: (made, args) => (heard.push([about + ' makes of', args]), spy),
  set: (made, key, value) => (heard.push([about + ' sets', value]), true),
});
const handler = { get: (made, key) => key === 'type' ? 'custom' : key === Symbol.iterator ? undefined : spy, has: () => true };
const object = new Proxy(new (class Own {})(), handler);
class Kind extends p5.Vector { type = 'custom'; tip = spy; pressure = spy; }
class Inner { get type() { return 'custom'; } tip(...given) { return spy(...given); } get pressure() { return spy; } }
const view = Object.assign(new Float32Array(4), { type: 'custom', tip: spy, pressure: spy, getContext: spy, canvas: spy, elt: spy });
const spies = [[9, 9, 'webgl', spy], [9, 9, 'webgl', view], [9, 9, spy], [view], ['a', view], [object], ['a', object], [[object, object]], ['a', new Kind(1, 2)], ['a', new Inner()], ['a', [new Inner()]], [spy], [spy, spy], [spy, spy, spy, spy], [1, spy], ['a', spy], [[spy, spy, spy]], [{ a: spy, tip: spy }],
  ['a', { type: 'custom', tip: spy, pressure: spy, curve: spy }], [1, 2, spy]];
const called = (path, f) => {
  given.push([path, f]);
  if (typeof f !== 'function') return;
  about = path;
  if (SIZED.includes(path)) {
    for (const args of spies) if (args[0] === 9) tried(path, () => f(...args));
    return;
  }
  for (const args of spies) tried(path + '(spy)', () => f(...args));
  for (const args of samples) { tried(path + '()', () => f(...args)); tried('new ' + path, () => new f(...args)); }
};
for (const name of PLAIN) called(name, window[name]);
for (const [name, f] of LENT) called(name, f);
for (const [name, f] of Object.entries(brush)) called('brush.' + name, f);
const keysOf = (value) => {
  const keys = new Set();
  for (let at = value; at; at = Reflect.getPrototypeOf(at)) for (const key of Reflect.ownKeys(at)) keys.add(key);
  return keys;
};
const own = { vector: createVector(1, 2, 3), color: color('red'), error: Error('x'), list: [], text: 'a', one: 1,
  big: 1n, numbers: (function* () { yield 1; })(), later: (async function* () {})(), f: () => 1, regex: /a/g };
for (const [name, value] of Object.entries(own)) {
  given.push([name, value]);
  for (const key of keysOf(Object(value)))
    for (const args of [...samples, [own.vector], [own.color]])
      tried(name + '.' + String(key) + '()', () => value[key](...args));
}
const powers = new Map([[window, 'window'], [document, 'document'], [window.p5, 'p5'],
  [window.p5.prototype, 'p5.prototype'], [window.p5.instance, 'the instance'], [drawingContext, 'the context'],
  [drawingContext.canvas, 'the canvas'], [window.p5.instance._renderer, 'the renderer']]);
for (const name of INNER) if (name !== 'Promise' && window[name]) {
  powers.set(window[name], name);
  for (let at = window[name].prototype; at; at = Reflect.getPrototypeOf(at)) powers.set(at, name + '.prototype');
}
const lib = { vector: createVector(1, 2), color: color('red'), plot: new brush.Plot('curve'), polygon: new brush.Polygon([[1, 2], [3, 4], [5, 1]]) };
for (const [name, value] of Object.entries(lib)) for (const key of keysOf(value)) {
  for (const holder of [value, Reflect.getPrototypeOf(value)])
    try { if (typeof holder[key] === 'function') holder[key] = spy; } catch { /* It is locked. */ }
}
const all = Object.values(lib);
const patched = [...all.map(one => [one]), ...all.map(one => [[one, one]]), ...all.map(one => [1, one]), ...all.map(one => ['a', one]), [1, 2, 3]];
for (const [name, f] of [...PLAIN.map(name => [name, window[name]]), ...LENT, ...Object.entries(brush)])
  if (typeof f === 'function' && !SIZED.includes(name)) {
    about = 'patched ' + name;
    for (const args of patched) tried(name, () => f(...args));
  }
for (const [name, value] of Object.entries(lib)) for (const key of keysOf(value)) {
  about = 'patched ' + name + '.' + String(key);
  for (const args of patched) tried(about, () => value[key](...args));
}
for (const name of ['circle', 'line', 'set']) tried(name, () => brush[name](9, 9, 9));
given.push(...heard);
const seen = new Set([spy]);
while (given.length) {
  const [path, value] = given.pop();
  if (value === null || !['object', 'function'].includes(typeof value) || seen.has(value)) continue;
  if (powers.has(value)) { wrong.push(path + ' is ' + powers.get(value)); continue; }
  seen.add(value);
  for (const key of keysOf(value)) {
    let found;
    try { found = value[key]; } catch { continue; }
    given.push([path + '.' + String(key), found]);
  }
}
throw Error('@' + JSON.stringify([seen.size, heard.length, wrong.slice(0, 5)]) + '@');
"""


@pytest.mark.parametrize("canvas", ["", "createCanvas(200, 200);"], ids=["WEBGL", "P2D"])
def test_no_property_of_what_is_lent_leads_to_the_page(monkeypatch: pytest.MonkeyPatch, canvas: str) -> None:
    """By whatever name: also by those that the static checks refuse. On a 2D canvas other functions give p5."""
    tools = {"Object", "window", "document", "drawingContext", "Reflect", "Set", "Map", "Proxy", "Symbol"}
    monkeypatch.setattr(compartment, "PLAIN", PLAIN | tools)
    lent = sorted((SILENT | NEWABLE | CALLABLE | NAMESPACES | {"brush", "p5", "describe"}) - tools)
    lists: dict[str, list[str]] = {
        "PLAIN": sorted(PLAIN - {"arguments"}),
        "SIZED": sorted(RESETTING),
        "INNER": sorted(compartment.INNER),
    }
    given = "".join(f"const {name} = {json.dumps(listed)};" for name, listed in lists.items())
    given += f"const LENT = [{','.join(f'[{json.dumps(name)}, {name}]' for name in lent)}];"
    medium = Unchecked(workers=1, methods="watercolour")
    try:
        (made,) = medium.render([sketch(canvas + given + WALK)], [1])
    finally:
        medium.close()
    seen, heard, wrong = thrown(made)  # type: ignore[misc]
    assert seen > 1000
    assert heard > 100
    assert wrong == []


def test_what_a_program_calls_its_own_no_library_meets(medium: SketchMedium) -> None:
    before = """parseInt = isNaN = () => { throw Error('met'); };
      function Uint8Array() { throw Error('met'); } var Float32Array = Uint8Array, Promise, onload = Uint8Array;
      class Map {} let Range = 1, createGraphics = 2, Math2 = 3, defaultCanvas0 = 4; function circle() { return 5; }"""
    body = "brush.fill('#224488', 90); brush.circle(circle(), 20, 30);"
    free = SketchMedium(workers=1)
    try:
        (plain,) = free.render([sketch(body.replace("circle()", "5", 1))], [1])
    finally:
        free.close()
    (made,) = medium.render([sketch(body, before)], [1])
    assert made.failure is None
    assert made.picture is not None
    assert made.picture == plain.picture


def test_lines_are_the_sketchs(medium: SketchMedium) -> None:
    sources = [
        sketch("\n\nthrow Error('here');"),
        "const a = 1;\n\nnull.x;\n" + sketch(""),
        "\nlet w = random(9);\n" + sketch(""),
        "\ntranslate(9, 9);\n" + sketch(""),
        sketch("\nbrush.circle(null.x);"),
        sketch("\nbrush.set('nothing like it', 'red', 1); brush.line(1, 2, 30, 40);"),
        sketch("\n\nPromise.reject(Error('later'));"),
    ]
    made = medium.render(sources, [1] * len(sources))
    lines = [re.search(r"\(line (\d+)\)", message(each)) for each in made]
    assert [found and int(found[1]) for found in lines] == [5, 3, 2, 2, 4, 4, 5]
    assert [each.failure and each.failure.code for each in made[2:4]] == ["called_before_setup"] * 2


def test_the_same_values_as_on_the_page(medium: SketchMedium) -> None:
    body = """const v = createVector(3, 4), d = new Date(0), a = new Array(3), e = new RangeError('x');
      const told = [v instanceof p5.Vector, v.mag(), p5.Vector.fromAngle(0).x, d instanceof Date, d.getTime(),
        Date.now() > 0, a.length, a instanceof Array, Array.isArray(Array.from('ab')), [] instanceof Object,
        e instanceof Error, e instanceof RangeError, e instanceof TypeError, String(2) + Number('3'), Math.max(1, 2),
        Number.isInteger(3), Object.keys({ a: 1 })[0], JSON.stringify([1]), new Map([[1, 2]]).get(1), BigInt(4) === 4n,
        new Float32Array([1.5])[0], width, PI > 3, typeof frameCount, new Set([1, 1]).size, Boolean(0)];
      throw Error('@' + JSON.stringify(told) + '@');"""
    (made,) = medium.render([sketch(body)], [1])
    values = [
        True,
        5,
        1,
        True,
        0,
        True,
        3,
        True,
        True,
        True,
        True,
        True,
        False,
        "23",
        2,
        True,
        "a",
        "[1]",
        2,
        True,
    ]
    assert thrown(made) == [*values, 1.5, 200, True, "number", 1, False]


ORDINARY = sketch("for (let i = 0; i < 3; i++) brush.circle(random(width), noise(i) * height, 9);")
OUT = sketch("window.scale(1);")
SLOPPY = sketch("", "var public = 1;")


def test_a_sketch_that_any_list_may_be_asked_of_runs_in_one(medium: SketchMedium) -> None:
    """Where its medium allows any method, and a gate a few."""
    free = SketchMedium(workers=1)
    try:
        ordinary, out, sloppy = free.render([ORDINARY, OUT, SLOPPY], [1, 1, 1])
    finally:
        free.close()
    (listed,) = medium.render([ORDINARY], [1])
    assert ordinary.picture is not None
    assert listed.picture is not None
    assert ordinary.picture.png == listed.picture.png
    assert ordinary.calls == listed.calls == PAINTED
    prompt, gate = Prompt("p", "a disc"), SketchGate()
    for source, made in ((OUT, out), (SLOPPY, sloppy)):
        assert made.ok
        assert made.calls == (*PAINTED, OUTSIDE)
        found = check_calls(made.calls, "watercolour")
        assert found is not None
        assert found.code == "forbidden_name"
        sample = Sample("s", prompt, "", source, made.picture, made.failure, calls=made.calls)
        assert gate.score(Group(prompt, (sample,)))[0].value == 0.0


ALIKE = [
    "const o = { m() { return this; } }; o.m();",
    "class A { me = this; m() { return [1].map(function () { return this; }); } } new A().m();",
    "width > 3 && translate(1, 1); (rotate(1), push()); for (; false; scale(1)); pop(); [1].map(x => x);",
    "total = 1; brush.circle(total, 1, 1);",
]
OTHER = [
    "this.translate(1, 1);",
    "function f() { return this; } f().translate(1, 1);",
    "class A { [(this.translate(1, 1), 'm')]() {} }",
    "rotate(1).translate(1, 1);",
    "const later = redraw(); later.then(() => 0);",
    "[1].map(rotate)[0].translate(1, 1);",
    "status = 3; canvas = 4;",
]
"""What does on the page what it does not in a compartment."""


def test_without_a_list_nothing_changes() -> None:
    sources = [
        *map(sketch, ALIKE),
        *map(sketch, OTHER),
        sketch("if (typeof width !== 'number' || width !== 200) throw Error('width');", "var width;"),
        sketch("", "function Range() {}"),
    ]
    medium = SketchMedium(workers=1)
    try:
        made = medium.render(sources, [1] * len(sources))
    finally:
        medium.close()
    for source, each in zip(sources[: len(ALIKE)], made, strict=False):
        assert (each.failure, each.calls) == (None, PAINTED), source
    for source, each in zip(sources[len(ALIKE) :], made[len(ALIKE) :], strict=True):
        assert each.calls is not None, source
        assert OUTSIDE in each.calls, source
    assert [each.failure for each in made[: len(ALIKE) + len(OTHER)]] == [None] * (len(ALIKE) + len(OTHER))


def test_where_a_sketch_runs() -> None:
    assert check_sketch(SLOPPY, "watercolour") is None
    assert scope_of(SLOPPY, "any") == Scope(walled=True, or_page=True, shared=("public", "setup"))
    assert scope_of(ORDINARY, "any") == Scope(walled=True, or_page=True, shared=("setup",))
    assert scope_of(OUT, "any") == scope_of("function setup() {}", "any") == PAGE
    assert {scope_of(source, "watercolour") for source in (OUT, ORDINARY, SLOPPY)} == {COMPARTMENT}
