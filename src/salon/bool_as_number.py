"""Booleans that stand where a number is meant: pydantic takes `weight: true` for 1, which nobody means."""

import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Union, cast, get_args, get_origin

from pydantic import BaseModel

Place = tuple[str | int, ...]


def booleans_for_numbers(kind: Any, value: Any, at: Place = ()) -> Iterator[Place]:
    """The places in plain data at which a boolean stands, and its annotation takes a number and no boolean.

    Args:
        kind: the annotation of `value`: a model, a number, or lists, mappings and unions of them.

    Example: of `dict[int, float]` and {0: 1.0, 20: True} it is (20,).
    """
    if isinstance(value, bool):
        leaves = set(_leaves(kind))
        if leaves & {int, float} and not leaves & {bool, Any}:
            yield at
        return
    origin = get_origin(kind)
    if origin is Annotated:
        yield from booleans_for_numbers(get_args(kind)[0], value, at)
    elif origin in (Union, types.UnionType):
        # What one of the branches takes is meant.
        found = [set(booleans_for_numbers(each, value, at)) for each in get_args(kind) if _fits(each, value)]
        yield from sorted(set[Place]().union(*found).intersection(*found), key=str)
    elif isinstance(value, Mapping):
        yield from _in_mapping(kind, cast("Mapping[Any, Any]", value), at)
    elif isinstance(value, list | tuple) and isinstance(origin, type) and issubclass(origin, Sequence):
        inner = [each for each in get_args(kind) if each is not Ellipsis]
        for place, item in enumerate(cast("Sequence[Any]", value)):
            if inner:
                yield from booleans_for_numbers(inner[min(place, len(inner) - 1)], item, (*at, place))


def _in_mapping(kind: Any, value: Mapping[Any, Any], at: Place) -> Iterator[Place]:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        for name, field in kind.model_fields.items():
            key = name if name in value else field.alias or name
            if key in value:
                yield from booleans_for_numbers(field.annotation, value[key], (*at, key))
    elif len(both := get_args(kind)) == 2:
        for key, item in value.items():
            yield from booleans_for_numbers(both[0], key, (*at, str(key)))
            yield from booleans_for_numbers(both[1], item, (*at, key))


def _leaves(kind: Any) -> Iterator[Any]:
    """The plain types that an annotation is made of, without what lies inside lists and mappings."""
    origin = get_origin(kind)
    if origin is Annotated:
        yield from _leaves(get_args(kind)[0])
    elif origin in (Union, types.UnionType):
        for each in get_args(kind):
            yield from _leaves(each)
    else:
        yield kind


def _fits(kind: Any, value: Any) -> bool:
    """Whether a branch of a union is for lists, or for mappings, as the value is."""
    origin = next(_leaves(kind), kind)
    origin = get_origin(origin) or origin
    if origin is Any:
        return True
    wanted = (Mapping, BaseModel) if isinstance(value, Mapping) else (Sequence,)
    return isinstance(origin, type) and origin is not str and issubclass(origin, wanted)
