"""Small runs that were really scored, for the tests of rescore: the fake judge, more or less colour."""

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from PIL import Image

from salon.rewards.advantage import with_advantages
from salon.rewards.compose import compose
from salon.rewards.engine import RewardEngine
from salon.rewards.estimator import Grpo
from salon.rewards.recipe import load_reward
from salon.store.runs import Run
from salon.types import Failure, Group, Picture, Prompt, Sample, Score

THREW = Failure("threw", "boom", "sample", "render")
LOST = Failure("browser_lost", "the browser ended", "system", "render")
OLD: dict[str, Any] = {
    "terms": {
        "gate": {"scorer": "rendered", "role": "gate", "weight": 0.1},
        "colour": {"scorer": "preference", "weight": 0.7, "judge": "eye"},
        "length": {"scorer": "rewarded:Short", "weight": 0.2},
    },
    "judges": {"eye": {"kind": "fake"}},
}


class Short:
    """1 for no tokens, 0 for a hundred."""

    version = "1"

    def __init__(self, most: int = 100) -> None:
        self.most = most

    def score(self, group: Group) -> list[Score]:
        return [
            Score(1.0 - sample.tokens / self.most, reason=f"{sample.tokens} tokens")
            for sample in group.samples
        ]


class Counting(Short):
    """Remembers, for all of its kind, which samples it was asked about and whether it saw their pictures."""

    asked: ClassVar[list[tuple[int, str, bool]]] = []

    def score(self, group: Group) -> list[Score]:
        Counting.asked += [
            (group.step, sample.id, bool(sample.picture and sample.picture.png)) for sample in group.samples
        ]
        return super().score(group)


class Closed(Short):
    """A gate that lets nobody through."""

    def score(self, group: Group) -> list[Score]:
        return [Score(0.0, reason="closed")] * len(group.samples)


class Mates(Counting):
    """The same, and it compares the samples of a group."""

    compares_mates = True


def paint(shade: int) -> Picture:
    file = io.BytesIO()
    image = Image.new("RGB", (64, 64), "white")
    image.paste((255, 255 - shade, 255 - shade), (0, 0, 64, 48))
    image.save(file, "PNG")
    return Picture.from_png(file.getvalue())


def group(step: int, slot: int, shades: Sequence[int | Failure]) -> Group:
    prompt = Prompt(f"p{slot}", f"draw flower {slot}", tags=("odd",) if slot % 2 else ())
    samples = tuple(
        Sample(
            id=f"s{step}-{slot}-{index}",
            prompt=prompt,
            reply=f"reply {index}",
            source="x",
            picture=None if isinstance(shade, Failure) else paint(shade),
            failure=shade if isinstance(shade, Failure) else None,
            tokens=10 * index,
        )
        for index, shade in enumerate(shades)
    )
    return Group(prompt, samples, step, seed=step * 10 + slot)


def scored_run(path: Path, reward: Mapping[str, Any] = OLD, steps: int = 3) -> Run:
    """Per step two groups of four: in the first one sample threw, in the second one was lost."""
    recipe = load_reward(reward)
    engine = RewardEngine(recipe, seed=3)
    manifest = {
        "recipe": {
            "reward": recipe.model_dump(mode="json"),
            "seed": 3,
            "train": {"scale_rewards": "group"},
        },
        "judges": engine.identities(),
    }
    run = Run.create(path, manifest)
    for step in range(1, steps + 1):
        groups = [
            group(step, 0, [60 + 20 * step, 200, THREW, 150]),
            group(step, 1, [250, 50 + 10 * step, 120, LOST]),
        ]
        found = engine.score(groups)
        ids = [str(index) for index, each in enumerate(groups) for _ in each.samples]
        scores = {name: [score for terms in found for score in terms[name]] for name in recipe.terms}
        rewards = with_advantages(compose(recipe, ids, scores, step), ids, Grpo(scale="group"))
        run.write_step(step, groups, [rewards[:4], rewards[4:]], {"reward": 0.5, "rendered_share": 0.75})
    return run
