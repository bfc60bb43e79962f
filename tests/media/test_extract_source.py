"""Source out of replies: whatever wraps it."""

import pytest

from salon.media.extract_source import extract_sketch, extract_svg
from salon.types import Failure

SKETCH = "function setup() {\n  createCanvas(4, 4, WEBGL);\n}"


@pytest.mark.parametrize(
    "reply",
    [
        SKETCH,
        f"```js\n{SKETCH}\n```",
        f"```p5js\n{SKETCH}\n```",
        f'```javascript title="a.js"\n{SKETCH}\n```\nEnjoy!',
        f"```\n{SKETCH}\n```",
        f"~~~js\n{SKETCH}\n~~~",
        f"Here it is:\n\n```js\n{SKETCH}",
        f"<think>function setup() {{ wrong }}\n```js\nno\n```</think>\n```js\n{SKETCH}\n```",
        f"draw a hibiscus, I thought</think>```js\n{SKETCH}\n```".replace("```js", "\n```js", 1),
        f"draw a hibiscus, I thought\n</thinking>\n```js\n{SKETCH}\n```",
        f"````md\n# A sketch\n```js\n{SKETCH}\n```\n````",
        f"```markdown\n```js\n{SKETCH}\n```\n```",
        f"This paints: `{SKETCH}` and that is all.",
        f"First install it:\n```bash\nnpm install p5\n```\nThen:\n```js\n{SKETCH}\n```",
        f"A helper:\n```js\nconst a = 1;\n```\nand\n```js\n{SKETCH}\n```",
        f"Sure! Here is the sketch.\n{SKETCH}",
        f"```html\n<html><script src='p5.js'></script><script>\n{SKETCH}\n</script></html>\n```",
        f"<!doctype html><body><script>\n{SKETCH}\n</script></body>",
        f"\ufeff```js\r\n{SKETCH}\r\n```".replace("\n", "\r\n").replace("\r\r", "\r"),
    ],
)
def test_the_sketch_is_found(reply: str) -> None:
    assert extract_sketch(reply) == SKETCH + "\n"


def test_of_two_sketches_the_first_is_taken() -> None:
    other = SKETCH.replace("4, 4", "9, 9")
    assert extract_sketch(f"```js\n{SKETCH}\n```\nOr:\n```js\n{other}\n```") == SKETCH + "\n"


def test_a_block_without_an_entry_point_is_still_the_source() -> None:
    assert extract_sketch("```js\nbrush.circle(1, 2, 3);\n```") == "brush.circle(1, 2, 3);\n"


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "  \n ",
        "I cannot paint a hibiscus, but I can describe one: it has five petals.",
        "To set up, call the setup function and then draw a circle.",
        "The function setup (see above) draws a flower, and function draw() repeats it.",
        "<think>function setup() {}",
        "```python\nprint('hello')\n```",
        "```js\n```",
    ],
)
def test_prose_is_no_sketch(reply: str) -> None:
    found = extract_sketch(reply)
    assert isinstance(found, Failure)
    assert (found.code, found.fault, found.stage) == ("no_sketch_in_response", "sample", "extract")


@pytest.mark.parametrize(
    ("reply", "source"),
    [
        ("Here: <svg><circle/></svg> done", "<svg><circle/></svg>\n"),
        ("```svg\n<svg><g><svg/></g></svg>\n```", "<svg><g><svg/></g></svg>\n"),
        ("```xml\n<svg><circle r='1'\n```", "<svg><circle r='1'\n"),
        ("<think><svg>no</svg></think><SVG></SVG>", "<SVG></SVG>\n"),
    ],
)
def test_an_svg_is_found(reply: str, source: str) -> None:
    assert extract_svg(reply) == source


@pytest.mark.parametrize("reply", ["", "a svg file", "```js\nsetup()\n```"])
def test_no_svg(reply: str) -> None:
    found = extract_svg(reply)
    assert isinstance(found, Failure)
    assert found.code == "no_sketch_in_response"


@pytest.mark.timeout(20)
@pytest.mark.parametrize("reply", ["<script" * 20_000, "`" * 100_000])
def test_a_hostile_reply_costs_no_time(reply: str) -> None:
    assert isinstance(extract_sketch(reply), Failure)
