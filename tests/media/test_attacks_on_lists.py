"""Attacks on a list of allowed methods: no other name is a way around it."""

import attacks
import pytest
from attacking import CONTROL, png
from unchecked import Unchecked

from salon.media.p5.checks.source_check import check_calls, check_sketch
from salon.media.p5.medium import SketchMedium
from salon.pool import Pool
from salon.scorers.gates.sketch_gate import SketchGate
from salon.types import Group, Prompt, Sample

pytestmark = pytest.mark.browser


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
