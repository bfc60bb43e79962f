"""Many verified criteria become one hierarchical rubric: themes and tips, coarse before fine."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from salon.errors import StageError
from salon.rubrics.asking import Author, Unusable, written
from salon.rubrics.journal import Journal, Step
from salon.rubrics.replies import read_form
from salon.rubrics.rubric import LEVELS, Theme
from salon.types import Failure

from .briefs import ask_again, ask_structure
from .wording import comparative

ATTEMPTS = 5
AT_ONCE = 100
"""Rubrics merged by one question; more are merged in rounds."""


class Structure(BaseModel):
    """What the author answers: themes, and a sentence about all of them."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    themes: Annotated[tuple[Theme, ...], Field(min_length=1, max_length=40)]
    summary: Annotated[str, Field(max_length=4000)] = ""


class StructuredStep(Step):
    """The author's answer to one question."""

    question: str
    structure: Structure


STEPS: Mapping[str, type[Step]] = {"structured": StructuredStep}


def structure(
    author: Author,
    verified: Sequence[Sequence[str]],
    journal: Journal,
    themes: int = 10,
    tips: int = 4,
    at_once: int = AT_ONCE,
) -> Structure:
    """Merge verified criteria into at most `themes` themes of `tips` tips each.

    Answers are kept in the journal by their question, so that a kill loses none. Levels come in the order
    coarse, mid, fine, and keep the author's order inside.

    Raises:
        StageError: the author does not answer, or not in the form after ATTEMPTS tries.
        ValueError: nothing was verified.
    """
    if not verified:
        raise ValueError("no rubric was verified, so there is nothing to merge")
    material = [list(each) for each in verified]
    while len(material) > at_once:
        chunks = [material[start : start + at_once] for start in range(0, len(material), at_once)]
        merged = [_merge(author, chunk, journal, themes, tips) for chunk in chunks]
        material = [[tip for theme in each.themes for tip in theme.tips] for each in merged]
    found = _merge(author, material, journal, themes, tips)
    order = list(LEVELS)
    return found.model_copy(
        update={"themes": tuple(sorted(found.themes, key=lambda theme: order.index(theme.level)))}
    )


def _merge(
    author: Author, rubrics: Sequence[Sequence[str]], journal: Journal, themes: int, tips: int
) -> Structure:
    question = ask_structure(rubrics, themes, tips)
    shown = "\0".join([author.identity, *(message.text for message in question)])
    key = hashlib.sha256(shown.encode()).hexdigest()
    known = next((s for s in journal.steps if s["step"] == "structured" and s["question"] == key), None)
    if known:
        return Structure.model_validate(known["structure"])
    last = Failure("malformed_reply", "no attempt was allowed", "system", "judge")
    messages = question
    for _ in range(ATTEMPTS):
        try:
            found = written(author, messages, lambda reply: _read(reply, themes, tips))
        except Unusable as error:
            last = error.failure
            messages = [*question, *ask_again((), last.message)]
            continue
        journal.append({"step": "structured", "question": key, "structure": found.model_dump(mode="json")})
        return found
    raise StageError(last)


def _read(reply: str, themes: int, tips: int) -> Structure:
    found = read_form(reply, Structure)
    faults: list[str] = []
    names = [theme.name for theme in found.themes]
    faults += [f"the theme {name!r} stands twice" for name in dict.fromkeys(names) if names.count(name) > 1]
    if len(names) > themes:
        faults.append(f"{len(names)} themes; at most {themes} are wanted")
    for theme in found.themes:
        if len(theme.tips) > tips:
            faults.append(f"{theme.name}: {len(theme.tips)} tips; at most {tips} are wanted")
        faults += [f"{theme.name}: {tip!r} compares pictures" for tip in theme.tips if comparative(tip)]
    if faults:
        raise StageError(Failure("malformed_reply", "; ".join(faults)[:2000], "system", "judge"))
    return found
