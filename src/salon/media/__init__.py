"""How a sample's source becomes a picture."""

from typing import Any

from salon.parts import built
from salon.registry import BUILTINS
from salon.types import Medium

DECIDE_NO_PIXEL = {"workers", "deadline_s", "memory_mb", "address", "cpus", "gpu", "portion", "patience_s"}


def open_medium(name: str, cache: bool = False, **args: Any) -> Medium:
    """The medium `name`: "p5.brush", "svg", "fake", or a `module:attribute` path to one's own.

    Args:
        name: which one.
        cache: keep renderings on disk, and do not render again what is there (see salon.media.render_cache).
            For the built-in media only, whose `versions` are known to name everything that decides a pixel.
        args: what the medium takes.

    Raises:
        RecipeError: there is no such medium, or it does not take these arguments.
    """
    medium: Medium = built("medium", name, args, "medium.args")
    if not cache or name not in BUILTINS["medium"]:
        return medium
    from .render_cache import CachedMedium

    return CachedMedium(medium, {key: value for key, value in args.items() if key not in DECIDE_NO_PIXEL})
