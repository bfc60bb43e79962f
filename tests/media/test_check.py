"""Static checks: the right code, and no false gate."""

import pytest

from salon.errors import RecipeError
from salon.media.p5.checks.source_check import check_sketch, uses_brush
from salon.media.p5.checks.syntax import read_program
from salon.media.p5.libraries import brush_methods, node_modules

pytestmark = pytest.mark.skipif(not (node_modules() / "p5.brush").is_dir(), reason="needs the npm packages")

HEAD = "function setup() { createCanvas(400, 400, WEBGL); "
PAINT = "brush.noStroke(); brush.fill('#f00', 90); brush.circle(200, 200, 30); "


def sketch(body: str) -> str:
    return f"{HEAD}{PAINT}{body}\n}}"


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("", "no_sketch_in_response"),
        ("  \n", "no_sketch_in_response"),
        ("function setup() { createCanvas(400, 400, WEBGL); brush.fill('#f00', ", "truncated"),
        (sketch("for (let i = 0; i < 9; i++) {"), "truncated"),
        (sketch("/* unfinished"), "truncated"),
        (sketch("let = = 3;"), "syntax_error"),
        (sketch("noLoop(;"), "syntax_error"),
        (sketch("random([1, 2);"), "syntax_error"),
        ("This is a hibiscus with five petals.", "syntax_error"),
        ("const x = 1;", "missing_entry_points"),
        ("const setup = () => { createCanvas(4, 4, WEBGL); };", "missing_entry_points"),
        ("class Petal { setup() {} draw() {} }", "missing_entry_points"),
        ("// function setup() {}\nlet a = 'function draw() {}';", "missing_entry_points"),
        (f"function setup() {{ createCanvas(400, 400); {PAINT} }}", "not_webgl"),
        (sketch("fetch('https://example.org')"), "external_access"),
        (sketch("window.fetch('x')"), "external_access"),
        (sketch("navigator.sendBeacon('/x')"), "external_access"),
        (sketch("new WebSocket('ws://x')"), "external_access"),
        (sketch("new Worker('x.js')"), "external_access"),
        (sketch("eval('1')"), "external_access"),
        (sketch("new WebAssembly.Module(bytes)"), "external_access"),
        (sketch("loadImage('cat.png')"), "external_access"),
        ("import p5 from 'p5';\n" + sketch(""), "external_access"),
        (sketch("import('x')"), "external_access"),
        (sketch("const i = 'data:image/png;base64,AAAA';"), "embedded_raster"),
        (sketch("brush.noWiggle()"), "unknown_brush_method"),
        (sketch("brush.rectangle(1, 2, 3, 4)"), "unknown_brush_method"),
        (sketch("brush['rectangle'](1)"), "unknown_brush_method"),
        (sketch("const b = brush; b.rectangle(1)"), "unknown_brush_method"),
        (sketch("const { rectangle } = brush;"), "unknown_brush_method"),
        (sketch("let b; b = brush; b.rectangle(1)"), "unknown_brush_method"),
        (sketch("let rectangle; ({ rectangle } = brush);"), "unknown_brush_method"),
        (sketch("(brush).rectangle(1)"), "unknown_brush_method"),
        (sketch("function f(b = brush) { b.rectangle(1) }"), "unknown_brush_method"),
        (sketch("brush.bleed(0.2)"), "brush_v1_api"),
        (sketch("brush.scale(2)"), "brush_v1_api"),
        (sketch("brush.setHatch('x')"), "brush_v1_api"),
    ],
)
def test_what_no_sketch_may_have(source: str, code: str) -> None:
    failure = check_sketch(source, "any")
    assert failure is not None
    assert (failure.code, failure.fault, failure.stage) == (code, "sample", "check")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("brush.hatch(2, 45)", "unknown_brush_method"),
        ("const m = 'fill'; brush[m]('red')", "unknown_brush_method"),
        ("const f = (b) => b.hatch(2); f(brush)", "unknown_brush_method"),
        ("const own = { brush }; own.brush.hatch(2)", "unknown_brush_method"),
        ("const own = [brush]; own[0].hatch(2)", "unknown_brush_method"),
        ("const own = {}; own.b = brush; own.b.hatch(2)", "unknown_brush_method"),
        ("const own = () => brush; own().hatch(2)", "unknown_brush_method"),
        ("with (brush) { hatch(2) }", "unknown_brush_method"),
        ("text('hibiscus', 10, 10)", "text_label"),
        ("drawingContext.fillText('a', 1, 1)", "text_label"),
        ("ellipse(1, 2, 3)", "bare_primitives"),
        ("circle(1, 2, 3)", "bare_primitives"),
        ("window.rect(1, 2, 3, 4)", "bare_primitives"),
    ],
)
def test_what_a_watercolour_may_not_have(body: str, code: str) -> None:
    assert check_sketch(sketch(body), "any") is None
    failure = check_sketch(sketch(body), "watercolour")
    assert failure is not None
    assert failure.code == code


def test_all_that_is_of_version_1_is_told_at_once() -> None:
    failure = check_sketch(
        sketch("brush.bleed(0.2);\nbrush.scale(2);\nbrush.bleed(1);\nbrush.circle(1, 1, 1)")
    )
    assert failure is not None
    assert "brush.bleed is version 1" in failure.message
    assert "brush.scale, brush.scaleBrushes(factor)" in failure.message
    assert failure.message.count("brush.bleed") == 1


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (f"function setup() {{ C.createCanvas(); {PAINT} }}", None),
        (f"new p5((p) => {{ p.setup = () => {{ p.createCanvas(9, 9); {PAINT} }}; }});", "not_webgl"),
        (f"new p5(p => {{ p.setup = () => {{ p.createCanvas(9, 9); {PAINT} }}; }});", "not_webgl"),
    ],
)
def test_a_canvas_that_another_file_makes_is_not_judged(source: str, code: str | None) -> None:
    failure = check_sketch(source)
    assert (failure and failure.code) == code


def test_a_watercolour_paints() -> None:
    failure = check_sketch(HEAD + "brush.fill('#f00'); brush.noStroke(); }", "watercolour")
    assert failure is not None
    assert failure.code == "no_painting_calls"


@pytest.mark.parametrize(
    "body",
    [
        "// the center point (300, 300), text(), fetch('x'), eval, rect(1, 2)",
        "/* brush.noSuchThing() ellipse() https://example.org */",
        "const medieval = 'eval fetch Worker text(1) brush.nothing() {{{ ((('; const s = `{ ${1 + 1} }`;",
        "let context = 1, fetchColor = 2, rectangle = 3, points = [], evaluation = points.map(p => p);",
        "function petal(circle) { return circle * 2; } petal(3);",
        "function ellipse(x) { brush.circle(x, x, 3); } ellipse(4);",
        "const v = { point: 1, line: 2 }; v.line = v.point;",
        "push(); translate(1, 2); rotate(3); scale(2); pop(); background(255); noLoop();",
        "const a = [1, 2].fill(0); const bleed = 3; Math.random(); random(3); noise(1); color(1);",
        "const { fill, circle: disc } = brush; disc(1, 2, 3);",
        "if (typeof brush !== 'undefined' && brush) { let b; b = brush; b.circle(1, 2, 3); }",
    ],
)
def test_no_false_gate(body: str) -> None:
    assert check_sketch(sketch(body), "watercolour") is None


@pytest.mark.parametrize(
    "source",
    [
        f"const R = WEBGL; function setup() {{ createCanvas(400, 400, R); {PAINT} }}",
        f"async function setup() {{ createCanvas(400, 400, WEBGL); {PAINT} }}",
        f"function draw() {{ {PAINT} }} function setup() {{ createCanvas(windowWidth, 9, WEBGL) }}",
    ],
)
def test_every_open_way_to_start(source: str) -> None:
    assert check_sketch(source, "watercolour") is None


def test_a_message_helps() -> None:
    failure = check_sketch(HEAD + "\n brush.fillBlead(0.1); }")
    assert failure is not None
    assert failure.message == "line 2: p5.brush has no brush.fillBlead. Did you mean brush.fillBleed?"
    old = check_sketch(sketch("brush.bleed(0.1)"))
    assert old is not None
    assert "brush.fillBleed" in old.message


def test_plain_p5_passes_any_and_not_watercolour() -> None:
    plain = "function setup() { createCanvas(100, 100); circle(50, 50, 20); }"
    assert check_sketch(plain, "any") is None
    assert not uses_brush(plain)
    failure = check_sketch(plain, ["circle", "fill"])
    assert failure is not None
    assert failure.code == "bare_primitives"


def test_the_inventory_is_the_librarys_own() -> None:
    assert {"fillBleed", "scaleBrushes", "hatchStyle", "flowLine", "endShape"} <= brush_methods()
    assert not {"bleed", "setHatch", "wiggly"} & brush_methods()


def test_an_allow_list_must_exist() -> None:
    with pytest.raises(RecipeError, match=r"circel.*circle"):
        check_sketch(sketch(""), ["circel"])
    with pytest.raises(RecipeError, match="watercolour"):
        check_sketch(sketch(""), "watercolor")  # type: ignore[arg-type]


def test_a_variable_named_brush_is_not_the_library() -> None:
    assert not uses_brush("let brush = { size: 3 }; function setup() { brush.size = 4; brush.any(); }")


@pytest.mark.parametrize("index", [r"'cir\x63le'", r"'it\'s'", "'a\\\nb'", "'a\"b'"])
def test_odd_names_in_brackets_are_failures_and_no_exceptions(index: str) -> None:
    source = (
        f"function setup() {{ createCanvas(9, 9, WEBGL); brush[{index}](0, 0, 9); brush.circle(0, 0, 9); }}"
    )
    failure = check_sketch(source, "watercolour")
    assert failure is not None
    assert failure.code == "unknown_brush_method"


def test_brackets_without_end_are_refused_at_once() -> None:
    failure = check_sketch("function setup() { let a = " + "[" * 20_000 + "]" * 20_000 + " }")
    assert failure is not None
    assert failure.code == "syntax_error"
    assert "200 brackets" in failure.message


def test_a_program_has_a_length_in_tokens() -> None:
    """function draw ( ) { circle ( 1 , 'two words' ) ; } are 13; a comment is none."""
    source = "function draw() { circle(1, 'two words'); } // and so on, and so on\n/* and on */"
    assert read_program(source).tokens == 13
    assert check_sketch(source, max_tokens=13) is None
    failure = check_sketch(source, max_tokens=12)
    assert failure is not None
    assert failure.code == "too_long"
    assert "13 tokens" in failure.message


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("''", 1),
        ("'#d2419b'", 1),
        ("'0123456789abcdef'", 1),
        ("'0123456789abcdefg'", 2),
        ("'" + "o = vec4(1.0); " * 100 + "'", 94),
        ("`" + "o = vec4(1.0); " * 100 + "`", 96),
        ("/" + "a" * 160 + "/", 12),
        ("'a' + '" + "b" * 33 + "'", 5),
    ],
)
def test_what_stands_in_a_text_counts(text: str, tokens: int) -> None:
    """Two quotes of a template and two slashes of a pattern are tokens as well."""
    assert read_program(f"x = {text}").tokens == tokens + 2


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("const own = (p) => { p.setup = () => { p.createCanvas(9, 9); }; };", "add new p5(…)"),
        ("import p5 from 'p5';\n" + sketch(""), "p5 and brush are there"),
        (sketch("brush.push(); brush.translate(1, 2); brush.pop()"), "version 2 has p5's own push()"),
    ],
)
def test_what_comes_from_another_page_is_told_with_its_cause(source: str, cause: str) -> None:
    failure = check_sketch(source)
    assert failure is not None
    assert cause in failure.message
