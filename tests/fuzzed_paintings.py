# ruff: noqa: E501
"""What the fuzzers paint: sketches by a small grammar of p5, p5.brush and odd JavaScript, one after the other."""

import atexit
import random
from functools import cache
from pathlib import Path
from typing import Any

DEADLINE_S = 20
CONTROL = """function setup() {
  createCanvas(60, 60, WEBGL); background(255); translate(-30, -30);
  brush.noStroke(); brush.fill(random(["#c33", "#36c"]), 120); brush.fillBleed(0.2); brush.circle(30, 30, 18);
  fill(10 + random(99)); rect(5, 5, 12, 9); noLoop();
}"""

NUMBERS = (
    "0",
    "1",
    "-1",
    "9",
    "20.5",
    "60",
    "1e9",
    "NaN",
    "Infinity",
    "width",
    "random(60)",
    "random()",
    "frameCount",
    "i",
    "'3'",
)
VALUES = (
    *(
        "undefined",
        "null",
        "true",
        "''",
        "'x'",
        "'#c33'",
        "'rgb(1,2,3)'",
        "'\\ud800'",
        "[]",
        "[1, 2]",
        "[[]]",
        "{}",
        "{ a: 1 }",
        "10n",
    ),
    *(
        "() => 1",
        "Symbol('a')",
        "new Date(0)",
        "/a/g",
        "new Proxy({}, {})",
        "Object.create(null)",
        "new Array(9)",
        "'a'.repeat(9e5)",
    ),
    *(
        "window",
        "document",
        "globalThis",
        "brush",
        "p5",
        "setup",
        "this",
        "createVector(1, 2)",
        "color(9)",
        "drawingContext",
    ),
)
PAINTS = (
    *(
        "rect",
        "ellipse",
        "circle",
        "line",
        "triangle",
        "point",
        "arc",
        "bezier",
        "text",
        "image",
        "fill",
        "stroke",
        "background",
    ),
    *(
        "strokeWeight",
        "translate",
        "rotate",
        "scale",
        "shearX",
        "blendMode",
        "colorMode",
        "tint",
        "erase",
        "clear",
        "vertex",
        "beginShape",
    ),
    *(
        "endShape",
        "push",
        "pop",
        "noFill",
        "noStroke",
        "noLoop",
        "loop",
        "redraw",
        "frameRate",
        "pixelDensity",
        "resizeCanvas",
        "filter",
    ),
    *(
        "createCanvas",
        "createGraphics",
        "createImage",
        "loadPixels",
        "updatePixels",
        "set",
        "get",
        "copy",
        "textFont",
        "textSize",
        "noise",
    ),
    *(
        "randomSeed",
        "noiseSeed",
        "angleMode",
        "remove",
        "createFramebuffer",
        "shader",
        "box",
        "sphere",
        "lights",
        "camera",
        "print",
        "save",
    ),
)
BRUSHES = (
    *(
        "fill",
        "noFill",
        "fillBleed",
        "fillTexture",
        "stroke",
        "noStroke",
        "set",
        "pick",
        "box",
        "scaleBrushes",
        "add",
        "line",
        "circle",
    ),
    *(
        "rect",
        "polygon",
        "spline",
        "flowLine",
        "arc",
        "beginShape",
        "vertex",
        "endShape",
        "hatch",
        "noHatch",
        "hatchStyle",
        "field",
        "noField",
    ),
    *(
        "addField",
        "listFields",
        "wiggle",
        "noWiggle",
        "clip",
        "noClip",
        "load",
        "seed",
        "noiseSeed",
        "strokeWeight",
        "wash",
        "push",
        "pop",
    ),
    *(
        "translate",
        "rotate",
        "refreshField",
        "instance",
        "mix",
        "render",
        "reDraw",
        "reBlend",
        "plot",
        "Polygon",
        "Plot",
        "nope",
    ),
)
ODD = (
    *("throw {v};", "throw new Error({v});", "Promise.reject({v});", "setTimeout(() => {{ throw {v}; }}, 0);", "window.onerror = {v};"),
    *("null.x;", "(() => {{ throw 1; }})();", "const a{i} = {v}; a{i}.b.c;", "eval('1+');", "new Function('return 1')();", "f(f);"),
    *("document.body.innerHTML = {v};", "document.querySelector('canvas')?.remove();", "document.write('<b>');", "location.hash = 'x';"),
    *("Math.random = {v};", "Object.prototype.toString = {v};", "Array.prototype.map = {v};", "window.draw = {v};", "Date.now = () => {n};"),
    *("requestAnimationFrame = {v};", "console.log({v}); console.error({v});", "Object.freeze(window);", "delete window.p5;", "Promise = {v};"),
    *("HTMLCanvasElement.prototype.toDataURL = {v};", "HTMLCanvasElement.prototype.getContext = {v};", "JSON.stringify = {v};"),
    *("Function.prototype.call = {v};", "alert({v});", "postMessage({v}, '*');", "close();", "stop();", "history.back();", "Symbol = {v};"),
    *("Object.defineProperty(window, 'width', {{ get() {{ throw {v}; }} }});", "Error.prepareStackTrace = () => {v};", "Error = {v};"),
    *("p5.prototype.rect = {v};", "p5.instance = {v};", "brush.fill = {v};", "Uint8Array = {v};", "Map.prototype.get = {v};", "noLoop = {v};"),
    *("new OffscreenCanvas(9, 9).getContext('2d').fill();", "drawingContext.canvas.width = {n};", "drawingContext.scale({n}, {n});"),
    *("canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();", "performance.now = {v};", "new Worker('x');"),
    *("let d{i} = 0; (function g() {{ if (d{i}++ < 1e6) g(); }})();", "'x'.repeat(2 ** 29);", "new Float64Array(2 ** 27).fill(1);"),
    *("[...Array(2e5).keys()].sort(() => {n});", "for (let j = 0; j < 1e6; j++);", "await 1;", "label: for (;;) break label;", "\\u0061 = 1;"),
)  # fmt: skip
RARE = (
    "while (true);",
    "for (;;) background(9);",
    "const big = []; for (;;) big.push(new Array(1e6).fill(1));",
    "debugger;",
    "draw();",
)


def value(rng: random.Random) -> str:
    return rng.choice(NUMBERS if rng.random() < 0.7 else VALUES)


def call(rng: random.Random) -> str:
    name = rng.choice(PAINTS) if rng.random() < 0.5 else f"brush.{rng.choice(BRUSHES)}"
    return f"{name}({', '.join(value(rng) for _ in range(rng.randrange(6)))})"


def statement(rng: random.Random, depth: int = 0) -> str:
    match rng.randrange(9):
        case 0 if depth < 3:
            body = statement(rng, depth + 1)
            return f"for (let i = 0; i < {rng.choice((1, 3, 20))}; i++) {{ {body} }}"
        case 1 if depth < 3:
            return f"try {{ {statement(rng, depth + 1)} }} catch (e) {{ {statement(rng, depth + 1)} }}"
        case 2 | 3:
            odd = rng.choice(RARE) if rng.random() < 0.02 else rng.choice(ODD)
            number = rng.randrange(99)
            return (
                odd.format(v=value(rng), n=value(rng), i=number)
                if "{{" in odd or "{v" in odd or "{n" in odd
                else odd
            )
        case _:
            return call(rng) + ";" if rng.random() < 0.3 else f"try {{ {call(rng)}; }} catch {{}}"


def block(rng: random.Random, most: int) -> str:
    return "\n  ".join(statement(rng) for _ in range(rng.randrange(most + 1)))


def draw_painting(rng: random.Random) -> str:
    """A sketch; some have no setup, two, or one that fails."""
    sizes = ("40, 40", "1, 1, WEBGL", "0, 0", "3000, 2, WEBGL", "")
    size = "60, 60, WEBGL" if rng.random() < 0.7 else rng.choice(sizes)
    canvas = f"createCanvas({size});" if rng.random() < 0.9 else ""
    square = "background(255); fill(200, 0, 0); rect(2, 2, 20, 20);" if rng.random() < 0.7 else ""
    keyword = "async function" if rng.random() < 0.1 else "function"
    setup = f"{keyword} setup() {{\n  let i = 1;\n  {canvas}\n  {square}\n  {block(rng, 6)}\n}}"
    head = statement(rng) if rng.random() < 0.2 else ""
    draw = f"function draw() {{\n  let i = 2;\n  {block(rng, 4)}\n}}" if rng.random() < 0.5 else ""
    return "\n".join(part for part in (head, setup if rng.random() < 0.95 else "", draw) if part)


@cache
def medium() -> Any:
    """One browser for all."""
    from salon.media.p5.medium import SketchMedium

    made = SketchMedium(workers=1, deadline_s=DEADLINE_S)
    atexit.register(made.close)
    return made


@cache
def control() -> bytes:
    """The control sketch's picture, before anything else was painted."""
    return painted_control()


def painted_control() -> bytes:
    [found] = medium().render([CONTROL], [3])
    assert found.picture is not None, found.failure
    assert found.failure is None, found.failure
    return found.picture.png


def read_painting(text: str, folder: Path) -> Any:
    """Paint it, and the control sketch after it.

    Raises:
        AssertionError: it ended otherwise than painted or by its own fault, or the control is another one.
    """
    before = control()
    [found] = medium().render([text], [1])
    assert found.failure is not None or found.picture is not None
    assert found.failure is None or found.failure.fault == "sample", found.failure
    assert painted_control() == before, "what was painted after it is another picture"
    return found.failure.code if found.failure else "painted"
