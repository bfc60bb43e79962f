"""Attacks on the renderer: nothing is read or forged, and what follows is as on a fresh worker."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping

import attacks
import pytest
from listening import Listener, listening
from unchecked import Unchecked

from salon.markup import printable
from salon.media.p5 import chromium
from salon.media.p5.checks.source_check import check_calls, check_sketch
from salon.media.p5.medium import SketchMedium
from salon.media.render_samples import develop
from salon.media.svg.medium import SvgMedium
from salon.pool import Pool
from salon.raster import decode
from salon.scorers.gates.sketch_gate import SketchGate
from salon.types import Group, Prompt, Rendering, Sample

pytestmark = pytest.mark.browser

CONTROL = attacks.control()

LEFT_RACES = {"removed": {"ok", "timeout"}, "messages": {"ok", "timeout"}, "loop-after": {"ok", "timeout"}}
"""What may do it before its own picture is read, and then waits itself."""


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    with listening(["all"]) as listeners:
        yield listeners["all"]


@pytest.fixture(scope="module")
def control() -> bytes:
    """The control sketch's bytes on a worker that has seen nothing else."""
    medium = Unchecked(workers=1)
    try:
        return png(medium.render([CONTROL], [5])[0])
    finally:
        medium.close()


def png(rendering: Rendering) -> bytes:
    assert rendering.picture is not None, rendering.failure
    return rendering.picture.png


def attacked(
    kind: Mapping[str, str | None], listener: Listener, control: bytes, deadline_s: float = 60
) -> dict[str, Rendering]:
    """Every attack of a kind on one worker, each followed by the control sketch."""
    medium = Unchecked(workers=1, deadline_s=deadline_s)
    found: dict[str, Rendering] = {}
    try:
        for name, body in kind.items():
            source = attacks.sketch(name, body, listener.port)
            found[name], after = medium.render([source, CONTROL], [5, 5])
            assert png(after) == control, f"{name} changed the next sketch's picture"
    finally:
        medium.close()
    assert listener.reached == []
    return found


def codes(found: Mapping[str, Rendering]) -> dict[str, str]:
    return {name: r.failure.code if r.failure else "ok" for name, r in found.items()}


def is_red(rendering: Rendering) -> bool:
    return decode(png(rendering)).getpixel((20, 20)) == (255, 0, 0)


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


def test_the_next_sketch_waits_for_nothing_that_was_left(listener: Listener, control: bytes) -> None:
    """The queue of the GPU process ends with its sketch, and nobody else pays for it."""
    drawn = {name: attacks.HEAVY + body for name, body in attacks.LEFT.items()}
    found = attacked(drawn, listener, control, deadline_s=12)
    assert codes({name: each for name, each in found.items() if name not in LEFT_RACES}) == dict.fromkeys(
        set(found) - set(LEFT_RACES), "ok"
    )
    assert all(codes(found)[name] in allowed for name, allowed in LEFT_RACES.items())
    assert all(is_red(rendering) for rendering in found.values() if rendering.picture)


def test_no_sketch_takes_webgl_from_the_next_ones(control: bytes) -> None:
    """What is queued to end the GPU process, at every distance from the moment of the report."""
    medium = Unchecked(workers=1, deadline_s=30)
    try:
        for left in (0, 4, 20, 80):
            _, *after = medium.render([attacks.late_crash(left), CONTROL, CONTROL], [5, 5, 5])
            assert [png(each) for each in after] == [control, control], left
    finally:
        medium.close()


def test_no_other_name_is_a_way_around_the_list(control: bytes) -> None:
    gate = SketchGate()
    prompt = Prompt("p", "a disc")
    medium = Unchecked(workers=2, deadline_s=30)
    sources = {
        "honest": attacks.alias(""),
        **{name: attacks.alias(body) for name, (body, _) in attacks.ALIASES.items()},
    }
    try:
        *made, after = medium.render([*sources.values(), CONTROL], [5] * (len(sources) + 1))
    finally:
        medium.close()
    found = dict(zip(sources, made, strict=True))
    assert png(after) == control
    told = {name: check_calls(each.calls, "watercolour") for name, each in found.items()}
    expected = {name: code for name, (_, code) in attacks.ALIASES.items()}
    assert {name: each.code if each else "ok" for name, each in told.items()} == {"honest": "ok"} | expected
    assert found["honest"].calls == ("brush.circle", "brush.fill", "brush.noStroke")
    for name, each in found.items():
        sample = Sample(name, prompt, "", sources[name], each.picture, each.failure, calls=each.calls)
        assert gate.score(Group(prompt, (sample,)))[0].value == (1.0 if name == "honest" else 0.0), name


def test_no_way_leads_from_the_list_to_the_canvas(control: bytes) -> None:
    """None runs where methods are listed, or finds nothing there; one that ran elsewhere is refused by the
    gate.
    """
    prompt = Prompt("p", "a disc")
    sources = {name: attacks.alias(body) for name, body in attacks.LEADING.items()}
    refused = {name: check_sketch(source, "watercolour") for name, source in sources.items()}
    held = {"renderer-given", "renderer-listed"}
    assert {name for name, each in refused.items() if each is None} == held
    assert {each.code for each in refused.values() if each} == {"forbidden_name"}
    medium = Unchecked(workers=2, deadline_s=30)
    try:
        *made, after = medium.render([*sources.values(), CONTROL], [5] * (len(sources) + 1))
    finally:
        medium.close()
    assert png(after) == control
    for (name, source), each in zip(sources.items(), made, strict=True):
        assert each.failure is None or each.failure.fault == "sample", name
        sample = Sample(name, prompt, "", source, each.picture, each.failure, calls=each.calls)
        assert SketchGate().score(Group(prompt, (sample,)))[0].value == 0.0, name


def test_what_seems_plain_is_watched_too(control: bytes) -> None:
    """Refused by a list before anything runs; and where any method may be called, told to the gate."""
    refused = {name: check_sketch(source, "watercolour") for name, source in attacks.PLAIN.items()}
    assert {each.code if each else "ok" for each in refused.values()} == {"missing_entry_points"}
    medium = Unchecked(workers=1, deadline_s=30)
    try:
        *made, after = medium.render([*attacks.PLAIN.values(), CONTROL], [5] * (len(attacks.PLAIN) + 1))
    finally:
        medium.close()
    assert png(after) == control
    told = {
        name: each.failure or check_calls(each.calls, "watercolour")
        for name, each in zip(attacks.PLAIN, made, strict=True)
    }
    assert [name for name, each in told.items() if each is None or each.fault != "sample"] == []
    assert [name for name, each in zip(attacks.PLAIN, made, strict=True) if each.ok and not each.calls] == []


def test_the_pools_paintings_call_what_they_seem_to() -> None:
    sources = [item.reference.source for item in Pool.load("flowers").items]
    plain = [source for source in sources if source and not check_sketch(source, "watercolour")]
    chosen = plain[:: len(plain) // 4]
    medium = SketchMedium(workers=2, methods="watercolour")
    try:
        made = medium.render(chosen, [5] * len(chosen))
    finally:
        medium.close()
    assert [each.failure for each in made] == [None] * len(made)
    assert len(made) >= 4
    assert all(each.calls and "brush.fill" in each.calls for each in made)


def test_no_size_is_passed(listener: Listener, control: bytes) -> None:
    found = attacked(attacks.SIZES, listener, control)
    assert codes(found) == dict.fromkeys(found, "canvas_size")
    assert all(rendering.picture is None or is_red(rendering) for rendering in found.values())


def test_what_tells_the_time_or_draws_lots_repeats(control: bytes) -> None:
    """Two browsers one after the other, the second with a busy processor beside it."""
    tried = {name: attacks.chance(expression) for name, expression in attacks.CHANCE.items()} | attacks.RACES
    sources = list(tried.values())
    seeds = [5] * len(sources)
    media = [Unchecked(workers=1), Unchecked(workers=1)]
    busy: list[subprocess.Popen[bytes]] = []
    try:
        *first, _ = media[0].render([*sources, CONTROL], [*seeds, 5])
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
        *second, after = media[1].render([*sources, CONTROL], [*seeds, 5])
    finally:
        for process in busy:
            process.kill()
            process.wait()
        for medium in media:
            medium.close()
    assert png(after) == control
    assert {name: each.failure for name, each in zip(tried, first, strict=True) if each.failure} == {}
    differ = [name for name, a, b in zip(tried, first, second, strict=True) if a.picture != b.picture]
    assert differ == []


def paints(rendering: Rendering) -> int:
    """How often a sketch of `attacks.told` has painted, by its colour."""
    red, green = (decode(png(rendering)).getchannel(band).getpixel((20, 20)) for band in "RG")
    assert isinstance(red, int)
    assert isinstance(green, int)
    return red + 256 * green


def test_a_sketch_hears_of_nothing_that_comes_by_chance(control: bytes) -> None:
    """What the browser tells in a task of its own is not told; what a sketch itself brings about is, once."""
    cases = attacks.EVENTS | attacks.HEARD
    medium = Unchecked(workers=1)
    try:
        sources = [*map(attacks.told, cases.values()), CONTROL]
        *made, after = medium.render(sources, [5] * len(sources))
    finally:
        medium.close()
    assert png(after) == control
    assert codes(dict(zip(cases, made, strict=True))) == dict.fromkeys(cases, "ok")
    counted = dict(zip(cases, map(paints, made), strict=True))
    assert counted == dict.fromkeys(attacks.EVENTS, 1) | dict.fromkeys(attacks.HEARD, 2)


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


@pytest.mark.slow
def test_what_never_ends_is_ended(listener: Listener, control: bytes) -> None:
    endless = {name: body for name, body in attacks.EXHAUSTION.items() if name != "allocation"}
    found = attacked(endless, listener, control, deadline_s=6)
    others = {
        "atomics": "threw",
        "contexts": "context_lost",
        "elements": "ok",
        "recursion": "threw",
        "shader": "ok",
        "strings": "threw",
        "workers": "external_access",
    }
    assert codes(found) == dict.fromkeys(found, "timeout") | others
    assert all(is_red(rendering) for rendering in found.values() if rendering.picture)
    greedy = {"allocation": attacks.EXHAUSTION["allocation"]}
    assert codes(attacked(greedy, listener, control)) == {"allocation": "out_of_memory"}


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
