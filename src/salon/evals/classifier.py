"""How often a classifier of prompts is right, on prompts that somebody labelled.

{"prompt": "a rose, nothing else", "label": "strict"}
{"prompt": "a rose, nothing else", "labels": {"intent": "strict", "lettering": "no"}}

A file of the second form serves several classifiers. One ships with salon, by the name `prompts`: 120 prompts
for image models, half of them strict, half with each of three failures that could concern them.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from salon import validation
from salon.errors import RecipeError, boundary
from salon.intervals import Interval, wilson
from salon.registry import did_you_mean
from salon.rewards.build import build_classifiers
from salon.rewards.recipe import load_reward
from salon.types import Classifier, Failure, Prompt

SHIPPED = "prompts"
_TRUTH = {True: "yes", False: "no"}
"""What yes and no become where YAML or pandas wrote the file."""
Word = Annotated[str, Field(min_length=1)]
Label = Annotated[Word, BeforeValidator(lambda value: _TRUTH[value] if isinstance(value, bool) else value)]


class LabelledPrompt(BaseModel):
    """A prompt and its label, or its labels by the name of a classifier."""

    model_config = ConfigDict(extra="forbid")
    prompt: Annotated[str, Field(pattern=r"\S")]
    label: Label | None = None
    labels: dict[Word, Label] = {}
    id: str = ""

    @model_validator(mode="after")
    def _has_one_form(self) -> "LabelledPrompt":
        if (self.label is None) == (not self.labels):
            raise ValueError("write `label`, or `labels` with one for each classifier")
        return self

    def label_of(self, name: str) -> str | None:
        """The label for a classifier of this name; None where there is none."""
        return self.label if self.label is not None else self.labels.get(name)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A prompt, its label, and what the classifier said: a label or a failure."""

    prompt: Prompt
    label: str
    said: str | Failure


@dataclass(frozen=True, slots=True)
class LabelCount:
    """One label: how many prompts have it, how many got it, how many of both."""

    label: str
    have: int
    got: int
    right: int

    @property
    def precision(self) -> float | None:
        """Of those that got it, the share that has it."""
        return self.right / self.got if self.got else None

    @property
    def recall(self) -> float | None:
        """Of those that have it, the share that got it."""
        return self.right / self.have if self.have else None


@dataclass(frozen=True, slots=True)
class ClassifierReport:
    """`accuracy` is over the prompts that were answered, with Wilson's 95 % interval. `commonest` is what
    always saying the commonest label would score.
    """

    rows: tuple[Labelled, ...]
    version: str

    @property
    def answered(self) -> list[Labelled]:
        """Those with a label."""
        return [row for row in self.rows if not isinstance(row.said, Failure)]

    @property
    def accuracy(self) -> float | None:
        """Right ones among the answered."""
        right = sum(row.said == row.label for row in self.answered)
        return right / len(self.answered) if self.answered else None

    @property
    def interval(self) -> Interval | None:
        """95 %, of the accuracy."""
        return wilson(sum(row.said == row.label for row in self.answered), len(self.answered))

    @property
    def commonest(self) -> float | None:
        """The share of the commonest label among the answered."""
        labels = [row.label for row in self.answered]
        return max(map(labels.count, labels)) / len(labels) if labels else None

    def labels(self) -> list[LabelCount]:
        """Counts per label, over the answered."""
        names = sorted({row.label for row in self.answered} | {str(row.said) for row in self.answered})
        return [
            LabelCount(
                name,
                sum(row.label == name for row in self.answered),
                sum(row.said == name for row in self.answered),
                sum(row.label == row.said == name for row in self.answered),
            )
            for name in names
        ]

    def lines(self) -> list[str]:
        """What to print."""
        total = len(self.rows)
        if self.accuracy is None or self.interval is None or self.commonest is None:
            return [f"none of {total} prompts was answered", *self._failures()]
        low, high = self.interval
        lines = [
            f"accuracy {self.accuracy:.3f} ({low:.3f} to {high:.3f}) on {len(self.answered)} of {total}"
            f" prompts;"
            f" the commonest label alone would give {self.commonest:.3f}",
            "",
            "label            have   got  precision  recall",
        ]
        for each in self.labels():
            rates = f"{_rate(each.precision):>9}  {_rate(each.recall):>6}"
            lines.append(f"{each.label:<15} {each.have:>5} {each.got:>5}  {rates}")
        said = {str(row.said) for row in self.answered}
        if len(said) == 1 and len(self.answered) > 1 and self.commonest < 1:
            lines += ["", f"It says {said.pop()} of every prompt: it sorts nothing."]
        wrong = [row for row in self.answered if row.said != row.label]
        lines += (
            ["", *(f"{row.label}, said {row.said}: {row.prompt.text}" for row in wrong[:20])] if wrong else []
        )
        return lines + self._failures()

    def failures(self) -> dict[str, int]:
        """Prompts without a label, by code."""
        codes = [row.said.code for row in self.rows if isinstance(row.said, Failure)]
        return {code: codes.count(code) for code in sorted(set(codes))}

    def _failures(self) -> list[str]:
        return [f"not answered: {count} × {code}" for code, count in self.failures().items()]


def load_labelled(file: str | Path) -> list[LabelledPrompt]:
    """The prompts of a labelled file, or of the one that ships, `prompts`.

    Warns:
        BadRows: some lines cannot be used; names all of them, with the key.

    Raises:
        RecipeError: no line can, or the file is empty.
    """
    shipped = Path(__file__).parents[1] / "data" / "classifiers" / f"{SHIPPED}.jsonl"
    rows = validation.read_jsonl(shipped if str(file) == SHIPPED else file, LabelledPrompt)
    if not rows:
        raise RecipeError(f"{file}: has no prompts. Write one a line: prompt, label.")
    return rows


def evaluate_classifier(
    recipe: str | Path, name: str, file: str | Path = SHIPPED, label: str = ""
) -> ClassifierReport:
    """Ask a reward recipe's classifier about every prompt of a labelled file.

    Args:
        name: the classifier's name in the recipe.
        label: which of a file's labels counts; the one of the classifier's name by default.

    Raises:
        RecipeError: a file is wrong, or the recipe has no such classifier in a `when`.
    """
    rows = load_labelled(file)
    bad = [
        validation.BadRow(
            str(file),
            f"{row.prompt!r} has no label {label or name!r}.{did_you_mean(label or name, row.labels)} Say"
            f" --label.",
            number,
        )
        for number, row in enumerate(rows, 1)
        if row.label_of(label or name) is None
    ]
    validation.leave_out(file, bad, len(rows) - len(bad))
    wanted = [(row, said) for row in rows if (said := row.label_of(label or name)) is not None]
    classifiers = build_classifiers(load_reward(recipe))
    if name not in classifiers:
        hint = did_you_mean(name, classifiers) if classifiers else " It has none."
        raise RecipeError(f"{recipe}: no `when` asks a classifier {name!r}.{hint}")
    labelled = [(_prompt(row), said) for row, said in wanted]
    return examine(classifiers[name], labelled)


def examine(classifier: Classifier, labelled: Sequence[tuple[Prompt, str]]) -> ClassifierReport:
    """The report on labelled prompts. What the classifier raises is a failure, not a wrong answer."""
    return ClassifierReport(
        tuple(Labelled(prompt, label, _ask(classifier, prompt)) for prompt, label in labelled),
        classifier.version,
    )


def _ask(classifier: Classifier, prompt: Prompt) -> str | Failure:
    with boundary("judge") as caught:
        return classifier.label(prompt)
    assert caught.failure is not None
    return caught.failure


def _prompt(row: LabelledPrompt) -> Prompt:
    return Prompt(row.id or hashlib.sha256(row.prompt.encode()).hexdigest()[:12], row.prompt)


def _rate(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
