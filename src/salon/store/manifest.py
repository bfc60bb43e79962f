"""A run's manifest, read: what the commands that look at a run go by has the form that they rely on."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, Strict

from salon import validation
from salon.errors import RecipeError, StoreError
from salon.secrets.known import redacted, remember
from salon.secrets.literal_keys import hide_literals, literal_keys

from .record import FORMAT, MOST_NUMBER, recipe_hash
from .run_files import read_object

_Number = Annotated[float, Strict(), Field(ge=-MOST_NUMBER, le=MOST_NUMBER)]
_Knots = Annotated[dict[Annotated[str, Field(pattern=r"^[0-9]{1,12}$")], _Number], Field(min_length=1)]


class _Part(BaseModel):
    """Keys that are not named here are anything: a recipe of another version has others."""

    model_config = ConfigDict(extra="ignore")


class _Term(_Part):
    scorer: str | None = None
    args: dict[str, Any] | None = None
    judge: str | None = None
    role: str | None = None
    weight: _Number | _Knots | None = None


class _Reward(_Part):
    terms: dict[str, _Term] | None = None
    judges: dict[str, dict[str, Any]] | None = None


class _Recipe(_Part):
    seed: Annotated[int, Strict(), Field(ge=0, lt=2**32)] | None = None
    reward: _Reward | str | None = None


class _Manifest(_Part):
    recipe: _Recipe
    judges: dict[str, str | None] | None = None


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a run, without keys that were once written into its recipe.

    Raises:
        StoreError: there is none, it was changed by hand, or something in it is not of the form that is read.
    """
    file = folder / "manifest.json"
    if not (os.path.exists(file) or os.path.islink(file)):
        problem = (
            "is not a run: it has no manifest.json"
            if os.path.exists(folder)
            else "does not exist: check the path of the run"
        )
        raise StoreError(f"{folder} {problem}")
    manifest = read_object(file)
    if manifest.get("format") != FORMAT:
        found = str(manifest.get("format"))[:40]
        raise StoreError(f"{file}: format {found!r}, and this salon reads {FORMAT}")
    recipe = manifest.get("recipe")
    if not isinstance(recipe, dict) or recipe_hash(recipe) != manifest.get("recipe_sha256"):
        raise StoreError(f"{file}: the recipe in it does not match its hash: the file was changed by hand")
    try:
        validation.validated(_Manifest, manifest, str(file))
    except RecipeError as error:
        raise StoreError(f"{error}\nRestore the file from a copy.") from error
    return _without_keys(manifest)


def _without_keys(manifest: dict[str, Any]) -> dict[str, Any]:
    """What else the run kept hides them too."""
    for _, text in _literals(manifest):
        remember(text)
    return redacted(hide_literals(manifest))


def _literals(manifest: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    for place, _ in literal_keys(manifest):
        value: Any = manifest
        for part in place:
            value = value[int(part)] if isinstance(value, list) else value[part]
        if isinstance(value, str):
            yield place, value
