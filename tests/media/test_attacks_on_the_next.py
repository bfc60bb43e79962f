"""Attacks on what follows and on what repeats: leavings, real clocks, news by chance, what never ends."""

import subprocess
import sys

import attacks
import pytest
from attacking import CONTROL, attacked, codes, is_red, png
from listening import Listener
from unchecked import Unchecked

from salon.raster import decode
from salon.types import Rendering

pytestmark = pytest.mark.browser


LEFT_RACES = {"removed": {"ok", "timeout"}, "messages": {"ok", "timeout"}, "loop-after": {"ok", "timeout"}}
"""What may do it before its own picture is read, and then waits itself."""


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
