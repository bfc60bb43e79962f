"""How a sample's source becomes a picture."""

from typing import Any

from salon.errors import RecipeError
from salon.extend import resolve
from salon.types import Medium


def open_medium(name: str, **args: Any) -> Medium:
    """The medium `name`: "p5.brush", "svg", "fake", or a `module:attribute` path to one's own.

    Raises:
        RecipeError: there is no such medium, or it does not take these arguments.
    """
    kind = resolve("medium", name)
    try:
        medium = kind(**args)
    except TypeError as error:
        raise RecipeError(f"medium {name!r} does not take these arguments: {error}") from error
    if not isinstance(medium, Medium):
        raise RecipeError(f"{name!r} is no medium: it lacks extract, check, render, versions or close")
    return medium
