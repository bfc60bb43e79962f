"""The procedural corpus: every sketch compiles, the same seed draws the same sketch, and quality varies."""

import random
import re
import subprocess
import sys

import pytest

from salon.errors import RecipeError
from salon.media.p5.checks.source_check import check_sketch
from salon.policies.corpus import GRADES, QUALITIES, corpus, draw_sketch
from salon.policies.prompts import COLOURS, FLOWERS, flower_prompt
from salon.policies.species import SPECIES


def test_every_flower_has_a_species() -> None:
    assert tuple(SPECIES) == FLOWERS


@pytest.mark.parametrize("flower", FLOWERS)
def test_sketches_pass_the_watercolour_check(flower: str) -> None:
    for seed, quality in enumerate((*QUALITIES, None, None, None)):
        source = draw_sketch(flower_prompt(flower, "sky blue"), seed, quality)
        assert check_sketch(source, "watercolour") is None, source


def test_the_same_seed_draws_the_same_sketch() -> None:
    assert list(corpus(20, seed=3)) == list(corpus(20, seed=3))
    assert [text for _, text in corpus(20, seed=3)] != [text for _, text in corpus(20, seed=4)]


def test_a_longer_corpus_begins_with_the_shorter_one() -> None:
    assert list(corpus(30))[:10] == list(corpus(10))


def test_the_corpus_is_varied_and_short() -> None:
    sketches = [text for _, text in corpus(300)]
    assert len(set(sketches)) == 300
    assert max(len(text) for text in sketches) < 2500
    assert max(fills(text) for text in sketches) <= 40


def fills(source: str) -> int:
    """About how many shapes a sketch fills: the petals of its rings, and its single shapes."""
    rings = [int(count) for count in re.findall(r"  ring\(x[^,]*, y[^,]*, (\d+),", source)]
    return sum(rings) + source.count("\n  petal(") + source.count("brush.circle(")


def test_the_asked_colour_is_mostly_used_and_always_named() -> None:
    pairs = list(corpus(800, seed=1))
    faithful = sum(tones_of(text) <= set(COLOURS[prompt.meta["colour"]]) for prompt, text in pairs)
    assert 0.78 <= faithful / len(pairs) <= 0.90
    assert all(text.startswith(f"// {prompt.meta['colour']} {prompt.subject}\n") for prompt, text in pairs)


def tones_of(source: str) -> set[str]:
    return set(re.findall(r'(?:pale|rich|deep) = "(#\w{6})"', source))


def test_quality_shows_in_the_choices() -> None:
    prompts = [flower_prompt(flower, "coral") for flower in FLOWERS]
    layers = {
        quality: [
            draw_sketch(prompt, seed, quality).count("  ring(x, y,")
            for prompt in prompts
            for seed in range(8)
        ]
        for quality in QUALITIES
    }
    mean = {quality: sum(counts) / len(counts) for quality, counts in layers.items()}
    assert mean["clumsy"] < mean["middling"] < mean["lovely"]


def test_choices_come_in_the_declared_shares() -> None:
    papers = [re.search(r'background\("(#\w{6})"\)', text) for _, text in corpus(1500, seed=5)]
    cream = sum(found is not None and found[1] in {"#fbf7ee", "#faf5e9", "#f8f4ec"} for found in papers)
    assert cream / 1500 == pytest.approx(GRADES[2], abs=0.05)


@pytest.mark.parametrize(("flower", "colour"), [("thistle", "coral"), ("rose", "puce")])
def test_what_the_generator_cannot_draw_is_refused_with_what_it_can(flower: str, colour: str) -> None:
    with pytest.raises(RecipeError, match="the generator knows"):
        draw_sketch(flower_prompt(flower, colour), 0)


def test_drawing_leaves_the_global_random_state_alone() -> None:
    random.seed(5)
    expected = random.Random(5).random()
    draw_sketch(flower_prompt("rose", "coral"), 0)
    assert random.random() == expected


def test_the_corpus_needs_no_torch() -> None:
    script = "import sys, salon.policies.corpus, salon.policies.fake; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@pytest.mark.browser
def test_a_clumsy_and_a_lovely_sketch_render() -> None:
    from salon.media import open_medium

    medium = open_medium("p5.brush", workers=2)
    try:
        sources = [draw_sketch(flower_prompt("poppy", "scarlet"), 7, quality) for quality in QUALITIES]
        renderings = medium.render(sources, [1, 2, 3])
    finally:
        medium.close()
    assert [rendering.failure for rendering in renderings] == [None, None, None]
    assert {(r.picture.width, r.picture.height) for r in renderings if r.picture} == {(400, 400)}
