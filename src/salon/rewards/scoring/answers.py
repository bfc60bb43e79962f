"""What Python gives to be scored: pictures in memory, files, sources and replies of one prompt."""

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from salon.errors import RecipeError
from salon.media.command.sources import SUFFIXES, Source
from salon.raster import of_array, of_image, to_picture
from salon.rewards.recipe import RewardRecipe
from salon.types import Failure, Group, Picture, Prompt, Sample
from salon.validation import read_bytes

from .inputs import PICTURES
from .scored import Scored, composed
from .work import medium_of, open_engine, rendered

Answer = str | Path | bytes | Image.Image | NDArray[np.uint8] | Picture | Sample
"""One answer to a prompt: a text is a source, or a reply with one in it; anything else is a picture, or the
file of either.
"""

_FORMS = (
    "a source or reply (str), a file (pathlib.Path), a picture's bytes, a salon.Picture, a PIL image, or a"
    " numpy array of height × width × 3 uint8"
)


def score_answers(
    recipe: RewardRecipe,
    prompt: str | Prompt,
    answers: Answer | Sequence[Answer],
    medium: str = "",
    medium_args: Mapping[str, Any] | None = None,
    seed: int = 0,
) -> list[Scored]:
    """The rewards of the answers to one prompt, in order; as one group, they compete with each other.

    Args:
        medium: renders sources; by default each by what stands in it.
        seed: draws references and the like, and seeds renderings.

    Raises:
        RecipeError, SetupError: the reward or the medium cannot be built, or an answer is of another kind.
    """
    asked = _prompt(prompt)
    drafts = [_draft(asked, each, place, seed) for place, each in enumerate(_listed(answers))]
    if not drafts:
        return []
    engine = open_engine(recipe, seed)  # After the rest was looked at: it loads pools and models.
    media = [medium or medium_of(draft) for draft in drafts]
    samples = rendered(drafts, media, args=medium_args or {})
    group = Group(asked, tuple(samples), seed=seed)
    return composed(recipe, [group], [[""] * len(samples)], engine.score([group]))


def _prompt(given: object) -> Prompt:
    if isinstance(given, Prompt):
        return given
    if not isinstance(given, str):
        what = type(given).__name__
        raise RecipeError(f"prompt: is the text that was asked for, or a salon.Prompt, and no {what}.")
    return Prompt(given[:80] or "prompt", given)


def _listed(answers: object) -> list[Any]:
    """One answer is a list of one; an array of four dimensions is one of pictures."""
    if isinstance(answers, np.ndarray):
        return list(answers) if answers.ndim == 4 else [answers]
    if isinstance(answers, str | Path | bytes | Image.Image | Picture | Sample):
        return [answers]
    if not isinstance(answers, Sequence):
        what = type(answers).__name__
        raise RecipeError(f"answers: a {what} cannot be scored: give {_FORMS}; or a list of such.")
    return list(answers)


def _draft(prompt: Prompt, answer: Answer, place: int, seed: int) -> Sample:
    draft = Sample(id=str(place), prompt=prompt, reply="", seed=seed)
    if isinstance(answer, Sample):
        return replace(answer, prompt=prompt)
    if isinstance(answer, str):
        _warn_of_file(answer)
        return _written(draft, answer)
    if isinstance(answer, Path):
        return _of_file(draft, answer)
    return _seen(draft, answer, f"answer {place}")


def _written(draft: Sample, text: str) -> Sample:
    return replace(draft, reply=text, tokens=len(text) // 4)


def _of_file(draft: Sample, file: Path) -> Sample:
    draft = replace(draft, id=str(file))
    if file.suffix.lower() not in SUFFIXES:
        return _seen(draft, read_bytes(file), str(file))
    source = Source(str(file), str(file), draft.seed, path=file).read()
    if source.fault:
        raise RecipeError(f"{file}: cannot be read: {source.fault}.")
    return _written(draft, source.text)


def _seen(draft: Sample, answer: object, where: str) -> Sample:
    """With its picture. Bytes that are none are that sample's failure, and no other's."""
    if isinstance(answer, bytes):
        try:
            return replace(draft, picture=to_picture(answer))
        except ValueError as error:
            failed = Failure("unreadable_picture", f"{where}: {error}", "system", "extract")
            return replace(draft, failure=failed)
    try:
        return replace(draft, picture=_picture(answer))
    except ValueError as error:
        raise RecipeError(f"{where}: {error}.") from error


def _picture(answer: object) -> Picture:
    if isinstance(answer, Picture):
        return answer
    if isinstance(answer, Image.Image):
        return of_image(answer)
    if isinstance(answer, np.ndarray):
        return of_array(answer)
    raise ValueError(f"a {type(answer).__name__} cannot be scored: give {_FORMS}")


def _warn_of_file(text: str) -> None:
    """A text is never opened as a file: it may be a model's. Whoever meant one is told."""
    short = len(text) <= 255 and text.isprintable()
    if short and text.lower().endswith((*PICTURES, *SUFFIXES)) and os.path.isfile(text):
        told = f"{text!r} is taken for a source. Where the file is meant, give pathlib.Path({text!r})."
        warnings.warn(told, stacklevel=6)
