"""A diagnosis as files: JSON, an HTML page, the proposed recipe."""

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

from salon.diagnosis.pages.page import page
from salon.diagnosis.proposal.proposed_yaml import blanks
from salon.errors import RecipeError
from salon.markup import encodable
from salon.store.runs import write_atomic

from .diagnosis import Diagnosis


def next_lines(found: Diagnosis, recipe_out: str | None, written: Sequence[str]) -> list[str]:
    """What to do with the recipe that was asked for: what to fill in, and the next command."""
    if recipe_out is None:
        return []
    if found.proposal is None or recipe_out not in written:
        return [f"{recipe_out} is not written: no other recipe follows from these scores"]
    left = blanks(found.proposal, found.table)
    lines = [f"before it runs, give: {'; '.join(left)}"] if left else []
    return [*lines, f"next: salon recipe check {shlex.quote(recipe_out)} --fake-judges"]


def as_text(found: Diagnosis) -> str:
    """Everything as JSON, in lines."""
    text = json.dumps(found.as_json(), indent=2, ensure_ascii=False, allow_nan=False)
    return encodable(text) + "\n"


def write_outputs(
    found: Diagnosis, json_out: str | None = None, html_out: str | None = None, recipe_out: str | None = None
) -> list[str]:
    """Write the files that are asked for; return the paths of those written.

    A recipe is written only when there is something to change.

    Raises:
        RecipeError: a file cannot be written; names it.
    """
    wanted: list[tuple[str, str]] = []
    if json_out:
        wanted.append((json_out, as_text(found)))
    if html_out:
        wanted.append((html_out, page(found)))
    if recipe_out and found.recipe:
        wanted.append((recipe_out, found.recipe))
    for place, text in wanted:
        try:
            write_atomic(Path(place), text.encode("utf-8", "replace"))
        except OSError as error:
            raise RecipeError(
                f"{place}: cannot be written ({error.strerror}). Choose another path."
            ) from error
    return [place for place, _ in wanted]
