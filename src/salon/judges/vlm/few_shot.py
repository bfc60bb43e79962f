"""Comparisons that were made before, with their reasons, shown to a judge before it compares.

    {"prompt": "draw a rose", "preferred": "1.png", "dispreferred": "2.png", "reason": "Its petals overlap …"}

One a line; paths are relative to the file. Take them from pairs that are used for nothing else: a judge that
has seen a pair with its answer cannot be measured on it.

Source: "Auto-Rubric as Reward", arXiv 2605.08354, "with guide".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from salon import validation
from salon.errors import RecipeError, StageError
from salon.judges.measuring.labelled_pairs import PictureFile
from salon.types import Picture

Show = Literal["pictures", "text"]
GuidesKey = str | Mapping[str, str]
"""What a recipe says: a file, or {file: …, show: pictures | text}."""

MOST = 20
"""More would cost more than they teach: each is two pictures in every question."""


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")
    prompt: Annotated[str, Field(pattern=r"\S")]
    preferred: Annotated[str, Field(min_length=1)]
    dispreferred: Annotated[str, Field(min_length=1)]
    reason: Annotated[str, Field(pattern=r"\S")]


@dataclass(frozen=True, slots=True)
class FewShotExample:
    """One comparison: the request, which picture was preferred, which not, and why."""

    prompt: str
    preferred: Picture
    dispreferred: Picture
    reason: str


@dataclass(frozen=True, slots=True)
class FewShotExamples:
    """Comparisons, and whether their pictures are shown or only what was said of them."""

    all: tuple[FewShotExample, ...] = ()
    show: Show = "pictures"

    def __bool__(self) -> bool:
        return bool(self.all)

    @property
    def told(self) -> list[Any]:
        """Everything that decides what a judge sees, for its identity."""
        return [self.show, *([g.prompt, g.preferred.key, g.dispreferred.key, g.reason] for g in self.all)]


def read_guides(path: str | Path) -> tuple[FewShotExample, ...]:
    """The comparisons in a file; pictures are read now, since every question shows them.

    Raises:
        RecipeError: a row is wrong; names each with its key. Which guides a judge sees is part of it.
    """
    rows = validation.read_jsonl(path, _Line, whole=True)
    if not rows:
        raise RecipeError(f"{path}: has no exemplars. Write one a line, or leave `guides` out.")
    if len(rows) > MOST:
        raise RecipeError(f"{path}: has {len(rows)} exemplars; {MOST} are the most. Keep the clearest.")
    file = Path(path)
    return tuple(
        FewShotExample(
            row.prompt,
            _picture(file, number, "preferred", row.preferred),
            _picture(file, number, "dispreferred", row.dispreferred),
            row.reason.strip(),
        )
        for number, row in enumerate(rows, 1)
    )


def guides_of(key: GuidesKey) -> FewShotExamples:
    """What a recipe's `guides` means; none for an empty text.

    Raises:
        RecipeError: another form, or the file is not there or wrong.
    """
    if isinstance(key, str):
        return FewShotExamples(read_guides(key)) if key else FewShotExamples()
    show = key.get("show", "pictures")
    if not {"file"} <= set(key) <= {"file", "show"} or show not in ("pictures", "text"):
        raise RecipeError("guides: write a file, or {file: path, show: pictures | text}.")
    return FewShotExamples(read_guides(key["file"]), show)


def as_text(guides: FewShotExamples) -> str:
    """What was said, without the pictures; empty where pictures are shown instead."""
    if not guides or guides.show == "pictures":
        return ""
    lines = [f"{n}. Request: {g.prompt} What decided: {g.reason}" for n, g in enumerate(guides.all, 1)]
    return "\n".join(
        ["Other pictures were compared before. This decided for the one that was preferred:", *lines]
    )


def shown_orders(
    guides: Sequence[FewShotExample],
) -> list[tuple[FewShotExample, Picture, Picture, Literal["A", "B"]]]:
    """Each with its pictures as A and B, and which is the preferred one: by turns the first and the second,
    so that no place is taught.
    """
    return [
        (g, g.preferred, g.dispreferred, "A") if number % 2 == 0 else (g, g.dispreferred, g.preferred, "B")
        for number, g in enumerate(guides)
    ]


def _picture(path: Path, row: int, key: str, name: str) -> Picture:
    try:
        return PictureFile(path.parent / name).load()
    except StageError as error:
        raise RecipeError(
            f"{path}, row {row}: {key}: {error.failure.message}. Paths are relative to the file."
        ) from error
