"""Does a model still give the numbers it gave? Known pictures, prompts and scores, checked first.

Weights that were not loaded leave a warning and a model that answers at random; so does a library that
changed how pictures are shrunk. Three pictures by formula and two prompts find both, and the scores that were
written down when the model was known to be right say what they should be.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from salon import validation
from salon.errors import RecipeError
from salon.files.outputs import write_atomic
from salon.judges.learned.taste import canary_pictures
from salon.judges.preference_model import ModelOfEdits, PreferenceModel, Request, rate_all
from salon.raster import encode_png, to_picture
from salon.types import Picture

TOLERANCE = 1e-3
_FORMULA = "formula:"
_PROMPTS = ("a loose watercolour flower", "coloured grain, like sand on a screen")


class GoldenLine(BaseModel):
    """A prompt, a picture (a file beside this one, or formula:0 to formula:2) and the score it gets; for a
    model of edits, also the picture `before`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    prompt: str
    picture: str
    score: FiniteFloat
    tolerance: Annotated[FiniteFloat, Field(gt=0)] | None = None
    before: str | None = None


@dataclass(frozen=True, slots=True)
class Golden:
    """A request with a known score; None where only its being steady is known."""

    request: Request
    score: float | None
    tolerance: float | None = None


def by_formula(edits: bool = False) -> list[Golden]:
    """Three pictures for two prompts, scores unknown; for a model of edits each as made from the next one."""
    pictures = _pictures()
    return [
        Golden(Request(prompt, pictures[at], (pictures[at - 2],) if edits else ()), None)
        for prompt in _PROMPTS
        for at in range(len(pictures))
    ]


def read_golden(path: str | Path) -> list[Golden]:
    """A file of golden lines.

    Raises:
        RecipeError: a line is wrong; names each with its key. A check that is left out would pass.
    """
    lines = validation.read_jsonl(path, GoldenLine, "It is named as golden scores.", whole=True)
    if not lines:
        raise RecipeError(f"{path}: there is no line in it. Write one with --write-golden {path}.")
    folder = Path(path).parent
    return [Golden(_request(line, folder, path), line.score, line.tolerance) for line in lines]


def write_golden(path: str | Path, model: PreferenceModel) -> None:
    """Write down what a model gives now for the pictures by formula.

    Raises:
        RecipeError: it does not score them.
    """
    edits = isinstance(model, ModelOfEdits)
    wanted = by_formula(edits)
    scores = rate_all(model, [each.request for each in wanted])
    rows: list[str] = []
    for number, (each, score) in enumerate(zip(wanted, scores, strict=True)):
        if score.value is None:
            assert score.failure is not None
            raise RecipeError(f"{path}: not written: {score.failure.code}: {score.failure.message}")
        before = {"before": f"{_FORMULA}{(number + 1) % 3}"} if edits else {}
        row = {"prompt": each.request.text, "picture": f"{_FORMULA}{number % 3}", **before}
        rows.append(json.dumps(row | {"score": score.value}))
    write_atomic(Path(path), ("\n".join(rows) + "\n").encode("utf-8", "replace"))


def problems_of(
    model: PreferenceModel, golden: Sequence[Golden], tolerance: float = TOLERANCE
) -> tuple[str, ...]:
    """What is wrong with a model, a sentence each; nothing when it may be served.

    Args:
        golden: the expected scores.
        tolerance: by how much a score may differ, from what is written and between alone and in a batch.
    """
    requests = [each.request for each in golden]
    together = rate_all(model, requests)
    alone = [rate_all(model, [request])[0] for request in requests]
    found: list[str] = []
    for number, (each, batch, single) in enumerate(zip(golden, together, alone, strict=True)):
        failure = batch.failure or single.failure
        if failure is not None:
            found.append(f"golden picture {number} gets no score: {failure.code}: {failure.message}")
            continue
        assert batch.value is not None
        assert single.value is not None
        if abs(batch.value - single.value) > tolerance:
            found.append(f"golden picture {number}: {batch.value:.4f} in a batch, {single.value:.4f} alone")
        if each.score is not None and abs(single.value - each.score) > (each.tolerance or tolerance):
            found.append(f"golden picture {number} scores {single.value:.4f}, not {each.score:.4f}")
    values = {score.value for score in together}
    if not found and len(values) == 1 and len(golden) > 1:
        found.append(f"every golden picture scores {values.pop():.4f}: are the weights loaded?")
    return tuple(found)


def check_golden(model: PreferenceModel, path: str | Path) -> None:
    """Refuse a model that does not give the scores of a file, alone and in a batch. Nothing is checked where
    no file is named.

    Raises:
        RecipeError: the file is not there or wrong; or names the model and each score that is another.
    """
    if not path:
        return
    if problems := problems_of(model, read_golden(path)):
        listed = "\n".join(f"  {problem}" for problem in problems)
        raise RecipeError(
            f"golden: {model.identity} does not give the scores of {path}:\n{listed}\n"
            "Check its weights and its libraries' versions. A line's `tolerance` allows more."
        )


def _request(line: GoldenLine, folder: Path, path: str | Path) -> Request:
    before = () if line.before is None else (_picture(line.before, folder, path),)
    return Request(line.prompt, _picture(line.picture, folder, path), before)


def _pictures() -> list[Picture]:
    return [Picture.from_png(encode_png(image)) for image in canary_pictures()]


def _picture(named: str, folder: Path, path: str | Path) -> Picture:
    formulas = {f"{_FORMULA}{number}": picture for number, picture in enumerate(_pictures())}
    if named in formulas:
        return formulas[named]
    if named.startswith(_FORMULA):
        raise RecipeError(f"{path}: picture: {named!r} is none of {', '.join(formulas)}.")
    try:
        return to_picture(validation.read_bytes(folder / named, f"It is named in {path}."))
    except ValueError as error:
        raise RecipeError(f"{folder / named}: {error}") from error
