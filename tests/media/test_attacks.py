"""Attacks on the renderer: nothing is read or forged, and what follows is as on a fresh worker."""

import time
from collections.abc import Callable, Iterator, Mapping

import attacks
import pytest
from attacking import CONTROL, attacked, codes, is_red, png
from listening import Listener
from unchecked import Unchecked

from salon.markup import printable
from salon.media.p5 import chromium
from salon.media.p5.medium import SketchMedium
from salon.media.render_samples import develop
from salon.media.svg.medium import SvgMedium
from salon.raster import decode
from salon.types import Prompt, Rendering, Sample

pytestmark = pytest.mark.browser


def test_no_file_is_read(listener: Listener, control: bytes) -> None:
    found = attacked(attacks.FILES, listener, control)
    told = {
        "file-fetch": "external_access",
        "file-frame": "external_access",
        "view-source": "external_access",
        "file-picker": "threw",
    }
    assert codes(found) == dict.fromkeys(found, "ok") | told
    assert "root:" not in " ".join(r.failure.message for r in found.values() if r.failure)
    assert all(is_red(rendering) for rendering in found.values())


def test_no_picture_is_forged(listener: Listener, control: bytes) -> None:
    found = attacked(attacks.FORGERIES, listener, control, deadline_s=5)
    broken = {"function-call": "timeout", "proxy-document": "threw"}
    assert codes(found) == dict.fromkeys(found, "ok") | broken, "all else is painted as it was"
    assert [name for name, r in found.items() if name != "function-call" and not is_red(r)] == []


SEALED, OPEN = "none", "host"
KINDS = ("REPORTED", "UNFIT", "REALMS", "SYSTEM", "SWAPPED")
QUICK = {"REPORTED": SEALED, "UNFIT": SEALED, "REALMS": OPEN, "SYSTEM": OPEN, "SWAPPED": SEALED}
"""In which network each kind is tried at once; in the other one too, where there is more time."""


@pytest.fixture(scope="module")
def worker() -> Iterator[Callable[[str], SketchMedium]]:
    """One worker for each network, whatever is tried."""
    opened: dict[str, SketchMedium] = {}

    def take(network: str) -> SketchMedium:
        with pytest.MonkeyPatch.context() as patch:
            if network == OPEN:
                patch.setattr(chromium, "leaves_the_network", lambda: False)
            elif not chromium.leaves_the_network():
                pytest.skip("this system allows no network namespace")
            if network not in opened:
                opened[network] = Unchecked(workers=1, deadline_s=30)
                opened[network].render([CONTROL], [5])
        return opened[network]

    yield take
    for medium in opened.values():
        medium.close()


@pytest.mark.parametrize(
    ("kind", "network"),
    [
        pytest.param(kind, network, marks=() if network == QUICK[kind] else pytest.mark.slow)
        for kind in KINDS
        for network in (SEALED, OPEN)
    ],
)
def test_the_pages_word_is_worth_nothing(
    kind: str, network: str, worker: Callable[[str], SketchMedium], control: bytes
) -> None:
    medium = worker(network)
    found: dict[str, Rendering] = {}
    attempts: Mapping[str, tuple[str, str]] = getattr(attacks, kind)
    for name, (body, _) in attempts.items():
        source = attacks.sketch(name, attacks.BLUE + body, 9)
        found[name], after = medium.render([source, CONTROL], [5, 5])
        assert png(after) == control, f"{name} changed the next sketch's picture"
    assert codes(found) == {name: code for name, (_, code) in attempts.items()}
    failures = [rendering.failure for rendering in found.values() if rendering.failure]
    assert [failure for failure in failures if failure.fault != "sample"] == []
    assert [failure for failure in failures if failure.message != printable(failure.message, 1000)] == []
    painted = [name for name, each in found.items() if each.ok]
    assert [name for name in painted if not is_red(found[name])] == []


def test_one_sketch_voids_no_batch(worker: Callable[[str], SketchMedium]) -> None:
    attempts = {**attacks.UNFIT, "slice": attacks.REPORTED["slice"], "halves": attacks.REPORTED["halves"]}
    honest = "function setup() { createCanvas(40, 40); circle(20, 20, random(9, 30)); noLoop(); }"
    sources = [attacks.sketch(name, attacks.BLUE + body, 9) for name, (body, _) in attempts.items()]
    mixed = [each for source in sources for each in (source, honest)]
    drafts = [
        Sample(str(index), Prompt("p", "a disc"), f"```js\n{source}\n```", seed=index)
        for index, source in enumerate(mixed)
    ]
    made = develop(worker(SEALED), drafts)
    assert [sample.failure for sample in made[1::2]] == [None] * len(sources)
    told = [sample.failure.code if sample.failure else "ok" for sample in made[::2]]
    assert told == [code for _, code in attempts.values()]


def marked(picture: bytes) -> set[str]:
    """The stores that a control sketch found something in."""
    image = decode(picture)
    return {
        name for index, name in enumerate(attacks.STORES) if image.getpixel((5 * index + 2, 2)) == (0, 0, 0)
    }


def test_nothing_stays(control: bytes) -> None:
    medium = Unchecked(workers=1)
    try:
        for name, (body, stores) in attacks.PERSISTENCE.items():
            written, after = medium.render([attacks.control(body), CONTROL], [5, 5])
            assert marked(png(written)) == stores, f"{name}: the control sketch sees what there is"
            assert marked(png(after)) == set(), name
            assert png(after) == control, name
    finally:
        medium.close()


def test_nobody_is_asked(listener: Listener, control: bytes) -> None:
    found = attacked(attacks.DIALOGS, listener, control, deadline_s=30)
    told = dict.fromkeys(("before-unload", "frame-alerts"), "external_access")
    assert codes(found) == dict.fromkeys(found, "ok") | told
    assert all(is_red(rendering) for rendering in found.values() if rendering.picture)


def test_no_size_is_passed(listener: Listener, control: bytes) -> None:
    found = attacked(attacks.SIZES, listener, control)
    assert codes(found) == dict.fromkeys(found, "canvas_size")
    assert all(rendering.picture is None or is_red(rendering) for rendering in found.values())


@pytest.mark.parametrize("max_tokens", [None, 9000])
def test_no_text_runs_as_code(max_tokens: int | None, control: bytes) -> None:
    """In the page's HTML never, by functions only where nobody counts a program's tokens."""
    medium = Unchecked(workers=1, max_tokens=max_tokens)
    kinds = {"html": attacks.IN_HTML, "function": attacks.AS_CODE, "bytes": attacks.AS_BYTES}
    cases = {f"{kind}-{name}": body for kind, bodies in kinds.items() for name, body in bodies.items()}
    sources = [attacks.sketch(name, RAN + body, 9) for name, body in cases.items()]
    try:
        *made, after = medium.render([*sources, CONTROL], [5] * (len(sources) + 1))
    finally:
        medium.close()
    assert png(after) == control
    found = codes(dict(zip(cases, made, strict=True)))
    expected = dict.fromkeys(cases, "external_access")
    expected |= {name: "threw" for name in cases if name.startswith("bytes-")}
    if max_tokens is None:
        expected |= {name: "ok" for name in cases if name.startswith("function-")}
    assert found == expected
    ran = {name for name, each in zip(cases, made, strict=True) if each.picture and not is_red(each)}
    assert ran == {name for name in cases if expected[name] == "ok"}


RAN = "const x = drawingContext; window.ran = () => { x.fillStyle = 'blue'; x.fillRect(10, 10, 20, 20); };"


SVG_CODES = {
    **dict.fromkeys(("script", "onload", "foreign-object", "link"), "forbidden_element"),
    **dict.fromkeys(("animate", "set", "entity"), "forbidden_element"),
    **dict.fromkeys(("image", "image-file", "image-relative", "image-data", "fe-image"), "embedded_raster"),
    "text": "text_label",
    "deep": "syntax_error",
    "use-bomb": "threw",
    "pattern-bomb": "content_off_canvas",
    **dict.fromkeys(("pattern-itself", "marker-bomb"), "blank_canvas"),
    "huge-filter": "renderer_crashed",
    **dict.fromkeys(("processing", "use-itself", "long-path", "numbers", "mask-bomb"), "ok"),
}
"""What becomes of each; all else points outside: `external_reference`."""

SVG_RACES = {
    "turbulence": {"timeout"},
    "filter-chain": {"timeout", "blank_canvas"},
    "dashes": {"timeout", "ok"},
}
"""What ends at its deadline, on a slow machine or on any."""


def test_no_svg_reaches_out_or_stays(listener: Listener) -> None:
    control = "<svg viewBox='0 0 100 100'><circle cx='50' cy='50' r='30' fill='red'/></svg>"
    medium = SvgMedium((64, 64), deadline_s=3)
    clean = png(medium.render([control], [0])[0])
    host = f"http://127.0.0.1:{listener.port}/svg"
    found: dict[str, str] = {}
    try:
        for name, inside in attacks.SVG.items():
            source = f"<svg viewBox='0 0 100 100'>{inside.replace('HOST', host)}</svg>"
            if inside.startswith("<!DOCTYPE"):
                head, _, rest = inside.partition("]>")
                source = f"{head}]><svg viewBox='0 0 100 100'>{rest}&x;</svg>"
            started = time.monotonic()
            rendering, after = medium.render([source, control], [0, 0])
            assert time.monotonic() - started < 20, name
            assert png(after) == clean, f"{name} changed the next picture"
            found[name] = rendering.failure.code if rendering.failure else "ok"
            assert rendering.failure is None or "root:" not in rendering.failure.message
    finally:
        medium.close()
    assert listener.reached == []
    assert all(found.pop(name) in codes for name, codes in SVG_RACES.items())
    assert found == dict.fromkeys(found, "external_reference") | SVG_CODES
