"""Human exemplars that show an author what a good reason looks like: prompt, both pictures, and why.

    {"prompt": "draw a rose", "preferred": "1.png", "dispreferred": "2.png", "reason": "Its petals overlap …"}

One a line; paths are relative to the file. Take them from pairs that are used for nothing else.
"""

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from salon import strict
from salon.errors import RecipeError, StageError
from salon.judges.labelled import PictureFile
from salon.types import Picture

from .asking import Message


class _Guide(BaseModel):
    model_config = ConfigDict(extra="forbid")
    prompt: Annotated[str, Field(pattern=r"\S")]
    preferred: Annotated[str, Field(min_length=1)]
    dispreferred: Annotated[str, Field(min_length=1)]
    reason: Annotated[str, Field(pattern=r"\S")]


def load_guides(path: str | Path) -> tuple[Message, ...]:
    """The exemplars as turns to put before a question; pictures are read now, since every question shows
    them.

    Raises:
        RecipeError: names the file, the row and the key.
    """
    rows = strict.read_jsonl(path, _Guide)
    if not rows:
        raise RecipeError(f"{path}: has no exemplars. Write one a line, or leave `guides` out.")
    messages: list[Message] = []
    for number, row in enumerate(rows, 1):
        pictures = [
            _picture(Path(path), number, key, name)
            for key, name in (("preferred", row.preferred), ("dispreferred", row.dispreferred))
        ]
        asked = (
            f"An example. The request was: {row.prompt}\n\nPeople preferred this picture:",
            pictures[0],
            "People liked this one less:",
            pictures[1],
        )
        messages += [Message("user", asked), Message("assistant", (f"The reason people gave: {row.reason}",))]
    return tuple(messages)


def _picture(path: Path, row: int, key: str, name: str) -> Picture:
    try:
        return PictureFile(path.parent / name).load()
    except StageError as error:
        raise RecipeError(
            f"{path}, row {row}: {key}: {error.failure.message}. Paths are relative to the file."
        ) from error
