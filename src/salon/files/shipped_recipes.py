"""Which file a recipe is: the path that was given, or one of those that ship with salon, by its name alone.

A wheel carries them in salon/data/recipes; in a checkout they are its folder recipes.
"""

import os
from pathlib import Path

from salon.errors import RecipeError
from salon.installed import checkout
from salon.registry import did_you_mean

SUFFIX = ".yaml"


def recipes_folder() -> Path | None:
    """The folder of the recipes that ship; None where there is none."""
    packed, home = Path(__file__).resolve().parents[1] / "data" / "recipes", checkout()
    folders = [packed, *([home / "recipes"] if home else [])]
    return next((folder for folder in folders if os.path.isdir(folder)), None)


def shipped_recipes() -> dict[str, Path]:
    """The recipes that ship, by name: paint, hibiscus-cpu, reproduce/old-vs-new …"""
    folder = recipes_folder()
    if folder is None:
        return {}
    found = {file.relative_to(folder).with_suffix("").as_posix(): file for file in folder.rglob(f"*{SUFFIX}")}
    return dict(sorted(found.items()))


def find_beside(recipe: Path, named: str) -> Path:
    """The file that a recipe names: beside it, or else as `find_recipe` finds it."""
    beside = recipe.parent / named
    return beside if os.path.isfile(beside) else find_recipe(named)


def find_recipe(given: str | Path) -> Path:
    """The file of a recipe. A file that is there is the one that is meant, whatever it is called.

    Raises:
        RecipeError: it is neither a file nor a recipe that ships; says what may have been meant.
    """
    path, name = Path(given), str(given)
    if os.path.exists(path) and not os.path.isdir(path):
        return path
    known = shipped_recipes()
    if name in known:
        return known[name]
    if os.path.isdir(path):
        raise RecipeError(f"{name}: cannot be read (it is a folder). Give the recipe's file in it.")
    if not path.suffix and os.sep not in name.removeprefix("reproduce/"):
        told = did_you_mean(name, known) if known else ""
        raise RecipeError(f"{name}: there is no such file, and no such recipe ships with salon.{told}")
    ships = f" The recipe {path.stem!r} ships with salon: give that name alone." * (path.stem in known)
    raise RecipeError(f"{name}: cannot be read (there is no such file). Check the path.{ships}")
