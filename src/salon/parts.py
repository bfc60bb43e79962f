"""A part as a recipe describes it, made: its arguments known, complete and of the right kind, and what comes
out able to do its work. Every mistake names the key and the remedy.
"""

import functools
import inspect
import typing
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError
from pydantic_core import SchemaError

from salon.bool_as_number import booleans_for_numbers
from salon.errors import RecipeError, SetupError, boundary
from salon.installed import install_command
from salon.registry import Kind, did_you_mean, missing_of, resolve

HIDDEN = ("judge", "seed")
"""Arguments that no recipe gives: they are handed over."""
NAMES: Mapping[Kind, str] = {
    "scorer": "version",
    "classifier": "version",
    "judge": "identity",
    "author": "identity",
    "medium": "name",
    "reader": "identity",
    "policy": "identity",
}
"""The text by which a part is told from another one."""
LONGEST_NAME = 10_000
_TRAINING = ("torch", "transformers", "trl", "peft", "accelerate", "datasets")
_VARIADIC = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)


def built(kind: Kind, name: str, args: Mapping[str, Any], where: str) -> Any:
    """The part called `name`, a built-in or module:attribute, made with `args`.

    Args:
        kind: what it has to be.
        name: as the recipe has it.
        args: with ${NAME} filled in; `judge` and `seed` as objects.
        where: the key that messages name, such as reward.terms.taste.args.

    Raises:
        RecipeError: it is not known or not allowed; an argument is unknown, missing or of the wrong type; it
            cannot be made of them, or what is made is no such part. SetupError: a package is missing.
    """
    return made(kind, resolve(kind, name), args, where, name)


def made(kind: Kind, factory: Callable[..., Any], args: Mapping[str, Any], where: str, name: str) -> Any:
    """`built`, of a factory that is at hand."""
    key = where.removesuffix(".args")
    given = checked(factory, args, where, name)
    part: Any = None
    try:
        with boundary("build") as caught:
            part = _called(factory, given, name)
    except RecipeError as error:
        raise RecipeError(str(error) if str(error).startswith("reward.") else f"{key}: {error}") from error
    if caught.failure:
        raise RecipeError(f"{key}: {name!r} cannot be made of these arguments: {caught.failure.message}")
    with boundary("build") as caught:
        if lacking := missing_of(kind, part):
            raise RecipeError(f"{key}: {name!r} makes no {kind}: what it makes lacks {lacking}.")
    if caught.failure:
        raise RecipeError(f"{key}: {name!r} makes no {kind}: looking at it raises {caught.failure.message}")
    text_of(part, NAMES[kind], f"{key}: {name!r}")
    return part


def text_of(part: object, attribute: str, who: str) -> str:
    """The text by which a part is told from others. It may be a property of somebody's own, which does
    anything.

    Raises:
        RecipeError: it is no text, raises, or is longer than anybody reads. `who` begins the message.
    """
    found: object = None
    with boundary("build") as caught:
        found = getattr(part, attribute, None)
    told = f" ({caught.failure.message})" if caught.failure else ""
    if not isinstance(found, str):
        raise RecipeError(
            f"{who} has no {attribute!r}{told}. Give it a text that changes whenever its work would."
        )
    if len(found) > LONGEST_NAME:
        raise RecipeError(f"{who}: its {attribute!r} has {len(found):,} letters, at most {LONGEST_NAME:,}.")
    return found


def checked(factory: Callable[..., Any], args: Mapping[str, Any], where: str, name: str) -> dict[str, Any]:
    """`args`, as the factory's annotations say that they are: none unknown, none missing, each of its type.

    Raises:
        RecipeError: names the argument.
    """
    parameters = parameters_of(factory)
    takes_any = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values())
    for key in args:
        if not takes_any and (key not in parameters or parameters[key].kind in _VARIADIC):
            known = {each for each, how in parameters.items() if how.kind not in _VARIADIC} - set(HIDDEN)
            hint = did_you_mean(key, known) if known else " It takes none."
            raise RecipeError(f"{where}.{key}: {name!r} has no such argument.{hint}")
    for key, parameter in parameters.items():
        required = parameter.default is inspect.Parameter.empty
        if required and key not in args and parameter.kind not in _VARIADIC:
            raise RecipeError(f"{where}.{key}: {name!r} needs it. Add it.")
    return {key: _typed(factory, key, value, f"{where}.{key}", name) for key, value in args.items()}


def parameters_of(factory: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """What it takes; nothing where that cannot be told."""
    try:
        return inspect.signature(factory).parameters
    except (TypeError, ValueError):
        return {}


def _called(factory: Callable[..., Any], given: Mapping[str, Any], name: str) -> Any:
    try:
        return factory(**given)
    except ModuleNotFoundError as error:
        package = error.name or "?"
        remedy = install_command("train") if package in _TRAINING else f"pip install {package}"
        raise SetupError(f"{name!r} needs the package {package!r}. Run: {remedy}") from error


def _typed(factory: Callable[..., Any], key: str, value: Any, where: str, name: str) -> Any:
    """One value as its annotation wants it. What has none is taken as it is; what is no plain value, too."""
    adapter = None if key in HIDDEN else _adapters(factory).get(key)
    if adapter is None or not isinstance(value, str | int | float | list | dict | tuple | None):
        return value
    for place in booleans_for_numbers(_hints(factory).get(key, Any), value):
        inside = "".join(f".{part}" for part in place)
        raise RecipeError(f"{where}{inside}: {name!r} takes a number there, and no true or false.")
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        inside = "".join(f".{part}" for part in first["loc"] if isinstance(part, int) or part in str(value))
        quoted = (
            " Put it in quotes." if first["type"] == "string_type" and isinstance(value, int | float) else ""
        )
        told = "; ".join(dict.fromkeys(each["msg"] for each in error.errors()))[:300]
        raise RecipeError(
            f"{where}{inside}: {name!r} cannot take it: {told} (found {value!r:.80}).{quoted}"
        ) from None


@functools.lru_cache(maxsize=256)
def _hints(factory: Callable[..., Any]) -> Mapping[str, Any]:
    target = factory.__init__ if inspect.isclass(factory) else factory
    try:
        return typing.get_type_hints(target, include_extras=True)
    except (NameError, TypeError, AttributeError):
        return {}


@functools.lru_cache(maxsize=256)
def _adapters(factory: Callable[..., Any]) -> Mapping[str, TypeAdapter[Any]]:
    """What checks each argument that has an annotation which says something of plain values."""
    hints = _hints(factory)
    found: dict[str, TypeAdapter[Any]] = {}
    for key, parameter in parameters_of(factory).items():
        hint = hints.get(key)
        if hint is None and isinstance(parameter.default, bool):
            hint = bool  # YAML 1.2 leaves yes and no as text, which would count as true.
        if hint is None or parameter.kind in _VARIADIC:
            continue
        for config in (_CONFIG, None):
            # A config of its own is refused for pydantic's models; what no schema can say is not checked.
            with suppress(PydanticUserError, SchemaError, TypeError, NameError):
                found.setdefault(key, TypeAdapter(hint, config=config))
    return found


_CONFIG = ConfigDict(arbitrary_types_allowed=True, allow_inf_nan=False)
