"""The option `--allow`, of every command that makes parts of what a recipe names."""

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from salon import registry

Names = Annotated[
    list[str] | None,
    typer.Option(
        "--allow",
        metavar="NAME",
        help="Let recipes use this module (importing it runs it), this file, or a variable: NAME, NAME@host.",
    ),
]


def allowing(command: Callable[..., None]) -> Callable[..., None]:
    """A command that also takes `--allow`, any number of times."""

    @functools.wraps(command)
    def run(*args: Any, allow: list[str] | None = None, **options: Any) -> None:
        registry.allow(*(name for names in allow or () for name in names.split(",")))
        command(*args, **options)

    signature = inspect.signature(command)
    own = inspect.Parameter("allow", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Names)
    shown: Any = run
    shown.__signature__ = signature.replace(parameters=[*signature.parameters.values(), own])
    shown.__annotations__ = {**command.__annotations__, "allow": Names}
    return run
