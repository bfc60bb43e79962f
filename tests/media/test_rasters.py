# ruff: noqa: E501
"""A picture that a sketch carries along is refused, however it is packed; one that it computes is not."""

import base64
import hashlib
import io
from collections.abc import Iterator

import pytest
from PIL import Image
from unchecked import Unchecked

from salon.media.p5.checks.source_check import check_sketch, what_runs
from salon.media.p5.checks.syntax_tree import read_tree
from salon.media.p5.checks.trivia import COMMENTS
from salon.media.p5.libraries import node_modules
from salon.media.p5.medium import SketchMedium
from salon.pool import Pool
from salon.raster import decode

needs_libraries = pytest.mark.skipif(
    not (node_modules() / "p5.brush").is_dir(), reason="needs the npm packages"
)


def photograph() -> str:
    """A green picture, as the base64 of its PNG."""
    png = io.BytesIO()
    Image.new("RGB", (20, 20), (0, 255, 0)).save(png, "PNG")
    return base64.b64encode(png.getvalue()).decode()


HEAD = f"""const PNG = "{photograph()}";
const bytes = Uint8Array.from(atob(PNG), (c) => c.charCodeAt(0)), blob = new Blob([bytes], {{ type: "image/png" }});
const show = (picture) => drawingContext.drawImage(picture, 0, 0, 40, 40);
function shown(url) {{
  const image = new Image();
  image.onload = () => show(image);
  image.src = url;
  document.body.append(image);
}}
"""

CARRIED = {
    "data": "shown('da' + 'ta:image/png;base64,' + PNG);",
    "data-awaited": "const i = new Image(); i.src = 'da' + 'ta:image/png;base64,' + PNG; await i.decode(); show(i);",
    "blob": "shown(URL.createObjectURL(blob));",
    "bitmap": "show(await createImageBitmap(blob));",
    "bitmap-of-a-frame": "const f = document.createElement('iframe'); document.body.append(f);"
    "show(await f.contentWindow.createImageBitmap(blob));",
    "decoder": "show((await new ImageDecoder({ data: bytes, type: 'image/png' }).decode()).image);",
    "svg": "const svg = `<svg><image href='da${''}ta:image/png;base64,${PNG}' width='40' height='40'/></svg>`;"
    "document.body.insertAdjacentHTML('beforeend', svg);"
    "await new Promise((done) => setTimeout(done, 50)); show(document.querySelector('svg image'));",
    "font": "document.fonts.add(await new FontFace('x', bytes).load());",
    "font-by-address": "document.fonts.add(await new FontFace('x', `url(da${''}ta:font/ttf;base64,${PNG})`).load());",
    "frame": "document.body.append(Object.assign(document.createElement('iframe'),"
    "{ srcdoc: `<img src='data:image/png;base64,${PNG}'>` }));",
}

COMPUTED = {
    "noise": "loadPixels(); for (let i = 0; i < pixels.length; i += 4) {"
    "pixels[i] = 255 * noise(i / 99); pixels[i + 1] = pixels[i + 2] = 40; } updatePixels();",
    "image": "const i = createImage(40, 40); i.loadPixels();"
    "for (let k = 0; k < i.pixels.length; k++) i.pixels[k] = k % 7 ? 255 : 90; i.updatePixels(); image(i, 0, 0);",
    "put": "const data = new ImageData(20, 20); data.data.fill(120); drawingContext.putImageData(data, 5, 5);",
    "graphics": "const g = createGraphics(20, 20); g.background(255, 0, 0); image(g, 5, 5); image(get(0, 0, 9, 9), 30, 30);",
    "bitmap": "const c = new OffscreenCanvas(20, 20), x = c.getContext('2d'); x.fillStyle = 'red'; x.fillRect(0, 0, 20, 20);"
    "drawingContext.drawImage(await createImageBitmap(c), 5, 5);",
    "gradient": "const g = drawingContext.createLinearGradient(0, 0, 40, 40); g.addColorStop(0, 'red'); g.addColorStop(1, 'blue');"
    "drawingContext.fillStyle = g; drawingContext.fillRect(0, 0, 40, 40);",
}


@pytest.fixture(scope="module")
def medium() -> Iterator[SketchMedium]:
    medium = Unchecked(workers=1)
    yield medium
    medium.close()


def sketch(body: str) -> str:
    return f"{HEAD}async function setup() {{ createCanvas(40, 40); background(255); noLoop(); {body} }}"


@pytest.mark.browser
@pytest.mark.parametrize("name", CARRIED)
def test_no_encoded_picture_is_decoded(medium: SketchMedium, name: str) -> None:
    (rendering,) = medium.render([sketch(CARRIED[name])], [1])
    code = "external_access" if "frame" in name else "embedded_raster"
    assert rendering.failure is not None
    assert (rendering.failure.code, rendering.failure.fault) == (code, "sample"), rendering.failure
    if rendering.picture:
        assert decode(rendering.picture.png).getpixel((20, 20)) == (255, 255, 255)


@pytest.mark.browser
@pytest.mark.parametrize("name", COMPUTED)
def test_a_computed_picture_is_painted(medium: SketchMedium, name: str) -> None:
    source = sketch(COMPUTED[name])
    assert check_sketch(source.removeprefix(HEAD)) is None
    (rendering,) = medium.render([source], [1])
    assert rendering.ok, rendering.failure


def pixels(count: int) -> list[str]:
    return [str(index * 7919 % 256) for index in range(count)]


def packed(count: int) -> str:
    return base64.b64encode(bytes(index * 7919 % 256 for index in range(count))).decode()


def lines(text: str, width: int) -> list[str]:
    return [text[at : at + width] for at in range(0, len(text), width)]


def noise(count: int) -> str:
    """Base64 of bytes that nothing compresses."""
    blocks = (hashlib.sha256(index.to_bytes(4, "big")).digest() for index in range(1 + count // 32))
    return base64.b64encode(b"".join(blocks)[:count]).decode()


LETTERS = str.maketrans("0123456789+/=", "abcdefghijklm")
SETUP = "function setup() { createCanvas(64, 64); rect(9, 9, 9, 9); }\n"
TABLES = {
    "numbers": f"const p = [{', '.join(pixels(64 * 64))}];",
    "rows": f"const p = [{', '.join(f'[{row}]' for row in [','.join(pixels(64))] * 64)}];",
    "objects": f"const p = [{', '.join(f'{{x: {n}, y: -{n}}}' for n in pixels(2000))}];",
    "split": f"const p = '{' '.join(pixels(64 * 64))}'.split(' ');",
    "several": "".join(f"const p{i} = [{', '.join(pixels(300))}];\n" for i in range(8)),
    "base64": f"const p = '{packed(4000)}';",
    "base64-in-lines": f"const p = {' + '.join(repr(line) for line in lines(packed(4000), 76))};",
    "base64-in-a-template": "const p = `" + "\n".join(lines(packed(4000), 76)) + "`;",
    "base64-in-a-pattern": f"const p = /{packed(4000).replace('/', '_')}/.source;",
    "hexadecimal": f"const p = {['0f3c' * 16] * 64};",
    "escapes": "const p = '" + "\\x89" * 2000 + "';",
    "wide": "const p = '" + "".join(chr(0x4E00 + index % 9000) for index in range(3500)) + "';",
    "names": f"const p = {{ {', '.join(f'a{i:040x}: 1' for i in range(99))} }};",
    "one-number": f"const p = {'9' * 4000}n;",
    "bigints": "const p = [" + ", ".join(f"{37**k * 10**20 // 3**k}n" for k in range(60, 386)) + "];",
    "bigints-in-calls": "".join(f"f({8191**6 * k**5}n);" for k in range(1, 327)) + "function f() {}",
    "hexadecimal-literals": f"const p = [{', '.join(hex(8191**4 * k**3) for k in range(1, 600))}];",
    "octal-literals": f"const p = [{', '.join(oct(8191**4 * k**3) for k in range(1, 600))}];",
    "binary-literals": f"const p = [{', '.join(bin(8191**4 * k**3) for k in range(1, 200))}];",
    "doubles": f"const p = [{', '.join(repr(k**0.5) for k in range(2, 900))}];",
    "separators": f"const p = [{', '.join(f'{8191**4 * k**3:_}n' for k in range(1, 600))}];",
    "numeric-keys": f"const p = {{ {', '.join(f'{8191**3 * k}: 0' for k in range(1, 600))} }};",
    "short-numeric-strings": f"const p = {[str(8191**6 * k**3)[:30] for k in range(1, 500)]};",
    "short-hexadecimal": f"const p = {[f'{8191**7 * k**9:x}'[:31] for k in range(99, 500)]};",
    "short-base64": "const p = `" + " ".join(lines(noise(4000), 20)) + "`;",
    "short-letters": f"const p = {lines(noise(4500).translate(LETTERS), 12)};",
    "short-names": "".join(f"let {each};" for each in lines(noise(5000).translate(LETTERS), 18)),
    "labels": "".join(f"{each}: {{}}" for each in lines(noise(5000).translate(LETTERS), 18)),
    "private-names": f"class A {{ {' '.join(f'#{each};' for each in lines(noise(5000).translate(LETTERS), 18))} }}",
    "patterns": "".join(f"/{each}/;" for each in lines(noise(4500).translate(LETTERS), 12)),
    "quantifiers": "".join(f"/a{{{8191**2 * k}}}/;" for k in range(1, 900)),
    "exponents": f"const p = [{', '.join(f'{k}e{k * 7919 % 300}' for k in range(100, 1900))}];",
    "few-kinds-of-numbers": "f("
    + ", ".join(str(100_000 + k % 50) for k in range(6400))
    + "); function f() {}",
    "alike-properties": "P." + ".".join(f"aaaaaa{k:05d}" for k in range(1600)) + ";",
    "numbers-as-arguments": "f("
    + ", ".join(str(100_000 + 7919 * k**3 % 262_144) for k in range(6400))
    + "); function f() {}",
    "digits-as-arguments": "f("
    + ", ".join(str(byte % 10) for byte in noise(24_000).encode())
    + "); function f() {}",
    "short-properties": "P." + ".".join(lines(noise(16_000).translate(LETTERS), 11)) + ";",
    "short-names-of-variables": "".join(
        f"let {each};" for each in dict.fromkeys(lines(noise(9000).translate(LETTERS), 6))
    ),
    "blanks": "f(`" + "".join(" \t"[byte & 1] for byte in noise(90_000).encode()) + "`); function f() {}",
    "the-order-of-calls": "".join("abcd"[byte & 3] + "();" for byte in noise(24_000).encode()),
    "names-of-one-letter-by-labels": "".join("abcd"[byte & 3] + ":;" for byte in noise(48_000).encode()),
    "classes-of-letters": "".join(f"/[{each}]/;" for each in lines(noise(12_000).translate(LETTERS), 6)),
    "words": f"const p = '{' '.join(lines('.#' * 12_000, 24))}';",
    "a-little-of-each": f"const p = {lines(noise(1600), 20)}; "
    + "".join(f"let {each};" for each in lines(noise(9600)[8000:].translate(LETTERS), 11))
    + f"f({', '.join(str(byte % 10) for byte in noise(2000).encode())}); function f() {{}}",
    "names-in-a-pattern-of-objects": f"const {{ {', '.join(lines(noise(4500).translate(LETTERS), 11))} }} = {{}};",
    "digits-in-an-order": "f("
    + ", ".join(str(byte % 4) for byte in noise(14_000).encode())
    + "); function f() {}",
}


@needs_libraries
@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_pixels_is_refused(name: str) -> None:
    found = check_sketch(SETUP + TABLES[name])
    assert found is not None
    assert found.code == "embedded_raster", found
    assert found.message.startswith("line 2:"), found.message


TRIVIA = {
    "comment": f"/* {noise(4000)} */",
    "comments": " ".join(f"/*{each}*/" for each in lines(noise(9000), 5)),
    "comments-of-a-line": "\n".join(f"// {each}" for each in lines(noise(9000), 5)) + "\n",
    "documentation": f"/** {' '.join(lines(noise(9000), 11))} */",
    "for-old-browsers": f"\n<!-- {noise(3000)}\n--> {noise(3000)}\n",
    "blanks": "".join(" \t\u00a0\u2003"[byte & 3] for byte in noise(40_000).encode()),
    "blanks-of-comments": " /**/" * 900 + "\t /**/" * 900,
    "in-a-template": f"`${{1 /* {noise(4000)} */}}`;",
}


@needs_libraries
@pytest.mark.parametrize("name", TRIVIA)
def test_what_stands_between_the_words_of_a_program_does_not_run(name: str) -> None:
    around = "function setup() { /a b/.test(' /* a  b */ ' + `  // c  ${1}  `); }\nfunction f() {", "}"
    source = TRIVIA[name].join(around)
    assert check_sketch(source) is None
    runs = what_runs(source)
    assert runs.count("\n") == source.count("\n"), "a line has its number still"
    assert runs.startswith(around[0].rstrip())
    assert len(runs.replace("\n", "")) < len("".join(around)) + len("`${1 }`;") + 2


def test_the_first_line_of_a_script_of_the_shell_is_a_comment() -> None:
    assert what_runs(f"#! {noise(400)}\nsetup()  ;") == "\nsetup() ;"


@pytest.mark.browser
@pytest.mark.parametrize("telling", [
    "String(f)",
    "Function.prototype.toString.call(f)",
    "(() => { try { structuredClone(f); } catch (e) { return e.message; } })()",
    "(() => { try { Reflect.construct(f, []); } catch (e) { return e.message; } })()",
])  # fmt: skip
def test_no_program_reads_its_comments(medium: SketchMedium, telling: str) -> None:
    """What a function is told as: its code, of which the comment is no part."""
    source = f"""const f = () => {{ /* hidden */ return 'seen'; }};
    function setup() {{ createCanvas(40, 40); background(255); noLoop(); noStroke();
      const told = {telling}; fill(told.includes('seen') && told.includes('return') ? 'lime' : 'blue');
      if (told.includes('hidden')) fill('red'); rect(0, 0, 40, 40); }}"""
    (rendering,) = medium.render([source], [1])
    assert rendering.picture is not None
    assert decode(rendering.picture.png).getpixel((20, 20)) == (0, 255, 0)


@pytest.mark.parametrize("source", [
    "const a = 1 // one\nconst b = 2",
    "let a = 8, b = 2; a = a /* c */ / b / 2",
    "let a = 1\r\n/* c\r\n */ ++a",
    "return /* c\n */ 1",
    "while (n --> 0) n",
    "const s = `a  ${ `b  ${1}` }  c`, r = /[/*]  \\/*/ ",
    "a\u2028b\u2029c /* \u2028 */ d",
    "'use strict'; label: for (;;) { break /* c */ label }",
    "a+ +b - -c",
    "const ü = '𝕏  ü' /* ü𝕏 */ + ü",
])  # fmt: skip
def test_a_program_without_its_comments_is_the_same_one(source: str) -> None:
    """The same tokens on the same lines; done again, nothing changes."""
    runs = what_runs(source)
    assert tokens(runs) == tokens(source)
    assert what_runs(runs) == runs


def tokens(source: str) -> list[tuple[str, int, str]]:
    parts = read_tree(source.replace("\r\n", "\n").encode())
    leaves = [
        part
        for part in parts
        if not part.children and not part.within("string") and part.kind not in COMMENTS
    ]
    return [(part.kind, part.line, part.text) for part in leaves]


@needs_libraries
def test_blanks_are_counted_too() -> None:
    blanks = "".join(";\n"[byte & 1] for byte in noise(80_000).encode())
    found = check_sketch(SETUP + "function f() {" + blanks + "}")
    assert found is not None
    assert found.code == "embedded_raster", found


SHADER = (
    "uniform vec2 size; void main() { vec2 p = gl_FragCoord.xy / size; gl_FragColor = vec4(p, .5, 1.); }\n"
)
FINE = {
    "palette": f"const palettes = [{', '.join(['[[240, 128, 90], [12, 40, 80], [250, 240, 220]]'] * 60)}];",
    "colours": f"const colours = [{', '.join([repr('#f2a07b')] * 200)}];",
    "outline": f"const outline = [{', '.join(f'[{x}, {x}.5]' for x in range(700))}];",
    "shader": f"const shader = `{SHADER * 60}`;",
    "rulers": ("// " + "-" * 90 + "\n// " + "=" * 90 + "\n") * 40,
    "prose": f"/* {'A flower of five petals, painted wet in wet. ' * 900} */",
    "icon": "const icon = ['" + "', '".join(["..##..##..##..##"] * 16) + "'];",
    "calls": "\n".join(f"function f{i}() {{ rect({i}, {i}, 3, 3); }}" for i in range(400)),
}


@needs_libraries
@pytest.mark.parametrize("name", FINE)
def test_what_a_program_needs_it_may_carry(name: str) -> None:
    assert check_sketch(SETUP + FINE[name]) is None


@needs_libraries
def test_no_painting_of_the_pool_is_taken_for_a_photograph() -> None:
    sources = [item.reference.source for item in Pool.load("flowers").items]
    found = [check_sketch(source) for source in sources]
    assert len(sources) == 355
    assert [each for each in found if each and each.code == "embedded_raster"] == []
