"""The whole of salon in one small file: policy → render → judge → reward → update, and the record of it.

Run it: python examples/loop.py [FOLDER]. What it did is then in runs/loop (or FOLDER), as a run that
`salon report`, `salon diagnose`, `salon rescore` and `salon export` read.

Everything dear is replaced by a fake, so that it ends in seconds: the policy is a table of word
probabilities, the medium paints discs in the colours that a reply names, and the judge prefers the more
colourful picture. The reward is real: a gate, a palette and comparisons with references are scored, composed
and turned into advantages by the code that trains language models.
"""

import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from salon import (
    Group,
    Medium,
    Prompt,
    Reference,
    Reward,
    RewardEngine,
    RewardRecipe,
    Run,
    Sample,
    compose,
    load_reward,
    open_medium,
    with_advantages,
)
from salon.media.render_samples import develop
from salon.rewards.metrics import reward_metrics

COLOURS = ("crimson", "orange", "indigo", "magenta")
SHADES = {colour: [colour] for colour in COLOURS}
WORDS = (*COLOURS, "silver", "ivory", "blank", "broken")
WORDS_PER_REPLY = 3
GROUP_SIZE = 8

PROMPTS = [
    Prompt(id=f"{colour}-rose", text=f"draw a rose in {colour}", subject="rose", meta={"colour": colour})
    for colour in COLOURS
]


@dataclass
class WordPolicy:
    """Writes three words, each drawn from softmax(logits of the prompt): a table is all it knows."""

    logits: dict[str, np.ndarray] = field(
        default_factory=lambda: {prompt.id: np.zeros(len(WORDS)) for prompt in PROMPTS}
    )

    def probabilities(self, prompt: Prompt) -> np.ndarray:
        raised = np.exp(self.logits[prompt.id] - self.logits[prompt.id].max())
        return raised / raised.sum()

    def write(self, prompt: Prompt, rng: random.Random) -> str:
        return " ".join(rng.choices(WORDS, self.probabilities(prompt), k=WORDS_PER_REPLY))

    def update(self, samples: Sequence[Sample], rewards: Sequence[Reward], learning_rate: float) -> None:
        """REINFORCE: the gradient of advantage × log p(reply), for softmax count − expected count."""
        for sample, reward in zip(samples, rewards, strict=True):
            if reward.advantage is None:
                continue  # the infrastructure took its reward away: it teaches nothing, rather than a zero
            used = sample.reply.split()
            counts = np.array([used.count(word) for word in WORDS], dtype=float)
            expected = len(used) * self.probabilities(sample.prompt)
            self.logits[sample.prompt.id] += learning_rate * reward.advantage * (counts - expected)


@dataclass(frozen=True)
class Shelf:
    """A pool in memory. The real one, salon.pool.Pool, reads a folder of rated pictures."""

    references: tuple[Reference, ...]

    def draw(
        self, k: int, seed: int, tiers: Sequence[str] = (), subject: str | None = None
    ) -> list[Reference]:
        return random.Random(seed).sample(self.references, k)


def make_shelf(medium: Medium) -> Shelf:
    """Twelve middling pictures: one word of colour, the rest pale."""
    sources = [f"{colour} silver ivory" for colour in COLOURS for _ in range(3)]
    made = medium.render(sources, seeds=range(len(sources)))
    return Shelf(
        tuple(
            Reference(id=f"ref-{number:02d}", picture=one.picture, tier="okay")
            for number, one in enumerate(made)
            if one.picture is not None
        )
    )


def make_reward(shelf: Shelf) -> dict[str, object]:
    """What a recipe's YAML file holds, as a mapping; only the pool is handed over as an object."""
    return {
        "terms": {
            "gate": {"scorer": "rendered", "role": "gate", "weight": 0.1},
            "colour": {"scorer": "palette", "weight": 0.4, "args": {"colours": SHADES}},
            "taste": {
                "scorer": "pairwise",
                "weight": 0.5,
                "judge": "eye",
                "args": {"pool": shelf, "references": 2},
                "deadline_s": 10,
            },
        },
        "judges": {"eye": {"kind": "fake", "sharpness": 20}},
    }


def rollouts(policy: WordPolicy, medium: Medium, step: int, seed: int) -> list[Group]:
    """Policy and render: every prompt answered GROUP_SIZE times."""
    groups: list[Group] = []
    for number, prompt in enumerate(PROMPTS):
        rng = random.Random(f"{seed}/{step}/{prompt.id}")
        drafts = [
            Sample(id=f"{step}-{number}-{place}", prompt=prompt, reply=policy.write(prompt, rng), seed=place)
            for place in range(GROUP_SIZE)
        ]
        groups.append(Group(prompt, tuple(develop(medium, drafts)), step, seed))
    return groups


def make_run(folder: str, recipe: RewardRecipe, engine: RewardEngine, seed: int) -> Run:
    """A new run, or the one of before, whose steps are written again. A pool in memory has but a name."""
    reward = recipe.model_dump(mode="json", exclude={"terms": {"taste": {"args": {"pool"}}}})
    reward["terms"]["taste"]["args"]["pool"] = "the shelf of examples/loop.py"
    made_by = {"seed": seed, "reward": reward}
    if Run.exists(folder):
        return Run.open(folder, made_by)
    return Run.create(folder, {"recipe": made_by, "judges": engine.identities()})


def train(
    steps: int = 25, learning_rate: float = 1.0, seed: int = 0, folder: str | None = None
) -> list[float]:
    """The loop. Returns the mean reward of each step; with a folder, a run is recorded there."""
    medium = open_medium("fake")
    recipe = load_reward(make_reward(make_shelf(medium)))
    engine, policy = RewardEngine(recipe, seed=seed), WordPolicy()
    run = make_run(folder, recipe, engine, seed) if folder else None
    curve: list[float] = []
    for step in range(steps):
        groups = rollouts(policy, medium, step, seed)

        scored = engine.score(groups)
        samples = [sample for group in groups for sample in group.samples]
        group_ids = [sample.prompt.id for sample in samples]
        scores = {name: [score for found in scored for score in found[name]] for name in recipe.terms}

        rewards = with_advantages(compose(recipe, group_ids, scores), group_ids)
        policy.update(samples, rewards, learning_rate)

        numbers = reward_metrics(recipe, group_ids, rewards)
        curve.append(numbers["reward/mean"])
        if run:
            by_group = [rewards[at : at + GROUP_SIZE] for at in range(0, len(rewards), GROUP_SIZE)]
            run.write_step(step, groups, by_group, {"reward": numbers["reward/mean"], **numbers})
        print(report_line(step, numbers, policy))
    return curve


def report_line(step: int, numbers: dict[str, float], policy: WordPolicy) -> str:
    asked = np.mean([policy.probabilities(prompt)[WORDS.index(prompt.meta["colour"])] for prompt in PROMPTS])
    bar = "█" * round(30 * numbers["reward/mean"])
    parts = "  ".join(f"{name} {numbers[f'terms/{name}/raw']:.2f}" for name in ("gate", "colour", "taste"))
    return f"step {step:2d}  reward {numbers['reward/mean']:.3f} {bar:<30}  {parts}  asked colour {asked:.0%}"


if __name__ == "__main__":
    place = sys.argv[1] if len(sys.argv) > 1 else "runs/loop"
    train(folder=place)
    print(f"recorded in {place}: salon report {place}")
