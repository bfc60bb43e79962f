"""YAML as a person means it, and in bounds: the one reader of every YAML file, and the one writer.

Read as YAML 1.2's core schema: only true and false are booleans, so that yes, no, on and off are text; 010 is
ten; 1:30, 1_000 and 2026-01-01 are text. Refused by line: a key that stands twice, a number that is not
finite or not exact, a file of more than MAX_BYTES, and aliases (`*name`,
`<<`) that make more than MAX_NODES of it.
"""

import importlib
import math
import re
from collections.abc import Hashable
from typing import Any, cast

import yaml
from yaml.composer import Composer
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

from salon.errors import RecipeError

MAX_BYTES = 1_000_000
MAX_NODES = 100_000
"""Values in a file, each counted as often as aliases repeat it."""
MAX_TOLD = 100_000
"""Characters up to which a text that is no YAML is parsed once more, to say why."""
MAX_DEPTH = 60
"""Lists and mappings inside one another."""

_PREFIX = "tag:yaml.org,2002:"
_RESOLVED: tuple[tuple[str, str, str], ...] = (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", "~nN\0"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    (
        "float",
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        "-+.0123456789",
    ),
    ("merge", r"<<", "<"),
)


_TOO_MANY = f"more than {MAX_NODES} values, aliases written out. Write less, or split the file."


class _Composer(Composer):
    """Counts what it makes."""

    _depth = _made = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        self._depth += 1
        self._made += 1
        if self._made > MAX_NODES:
            raise RecipeError(f"line {cast('Any', self).peek_event().start_mark.line + 1}: {_TOO_MANY}")
        if self._depth > MAX_DEPTH:
            line = cast("Any", self).peek_event().start_mark.line + 1
            raise RecipeError(f"line {line}: more than {MAX_DEPTH} lists and mappings inside one another.")
        try:
            return super().compose_node(parent, index)
        finally:
            self._depth -= 1


class _Loader(_Composer, yaml.SafeLoader):
    """A SafeLoader of YAML 1.2, which reads any text and is slow."""


def _fast_loader() -> type[_Loader]:
    """The same over libyaml's parser, in a third of the time; without libyaml the loader itself."""
    try:
        parser: Any = importlib.import_module("yaml.cyaml").CParser
    except ImportError:
        return _Loader

    def begin(self: Any, text: str) -> None:
        parser.__init__(self, text)
        Composer.__init__(self)
        SafeConstructor.__init__(self)
        Resolver.__init__(self)

    rules = {name: getattr(_Loader, name) for name in ("yaml_implicit_resolvers", "yaml_constructors")}
    # The composer goes before the parser, which has a composer of its own that counts nothing.
    return type("_Fast", (_Composer, parser, SafeConstructor, Resolver), {"__init__": begin, **rules})


class _Dumper(yaml.SafeDumper):
    """A SafeDumper that quotes what YAML 1.1 or 1.2 would read as something else than text."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


_Loader.yaml_implicit_resolvers = {}
_Loader.yaml_constructors = dict(yaml.SafeLoader.yaml_constructors)
_Dumper.yaml_implicit_resolvers = {
    sign: list(rules) for sign, rules in yaml.SafeDumper.yaml_implicit_resolvers.items()
}
for _name, _form, _first in _RESOLVED:
    _whole = re.compile(rf"(?:{_form})$")
    for _class in (_Loader, _Dumper):
        _signs: list[Any] = ["" if sign == "\0" else sign for sign in _first]
        _class.add_implicit_resolver(_PREFIX + _name, _whole, _signs)


def parsed(text: str, where: str) -> Any:
    """The value in a YAML text. `where` names it in messages, that show nothing of its content.

    Raises:
        RecipeError: it is no YAML, has a duplicate key, a number nobody can calculate with, or is too much.
    """
    if len(text) > MAX_BYTES:
        raise RecipeError(
            f"{where}: {len(text)} characters, and {MAX_BYTES} are read at most. Take out what is not needed,"
            " or split it."
        )
    try:
        return _loaded(text)
    except RecipeError as error:
        raise RecipeError(f"{where}, {error}") from None
    except yaml.MarkedYAMLError as error:
        # Without the line itself, which PyYAML's own message quotes: a key may stand in it.
        mark = error.problem_mark or error.context_mark
        line = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        told = " ".join(part for part in (error.context, error.problem) if part)
        raise RecipeError(f"{where}: not valid YAML: {line}{told}.{_remedy(told)}") from None
    except yaml.YAMLError as error:
        raise RecipeError(f"{where}: not valid YAML: {str(error).splitlines()[0]}.") from None
    except (ValueError, RecursionError, OverflowError) as error:
        raise RecipeError(f"{where}: not valid YAML: {error}") from None


def _loaded(text: str) -> Any:
    try:
        # libyaml takes some tabs for spaces.
        return _value(_Loader if "\t" in text else _FAST, text)
    except yaml.YAMLError:
        if len(text) > MAX_TOLD:
            raise
        # PyYAML's own parser says better what is wrong, and where.
        return _value(_Loader, text)


def _value(kind: type[_Loader], text: str) -> Any:
    loader = kind(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        _bounded(node)
        # An alias is the same object: setting a key of the one would change the other.
        return _apart(loader.construct_document(node))
    finally:
        loader.dispose()


def dumped(value: Any, **options: Any) -> str:
    """`value` as YAML that reads back as it is, here and in readers of YAML 1.1; keys in their order."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, **options)


def _remedy(told: str) -> str:
    if "\\t" in told:
        return " Indent with spaces, not with tabs."
    if "undefined alias" in told or "alias" in told:
        return " Text that begins with * or & stands in quotes."
    if "maximum nesting depth" in told:
        return f" It has more than {MAX_DEPTH} lists and mappings inside one another."
    if "could not determine a constructor" in told:
        return " Tags (!name) are not read: leave it out, or quote the text."
    return ""


def _bounded(root: yaml.Node) -> None:
    """Raises RecipeError where aliases make too much of a text, or lead back into themselves."""
    counted: dict[int, int] = {}
    inside: set[int] = set()

    def count(node: yaml.Node) -> int:
        if isinstance(node, yaml.ScalarNode):
            return 1
        at = id(node)
        if at in inside:
            raise RecipeError(f"line {node.start_mark.line + 1}: an alias stands inside of what it names.")
        if at not in counted:
            inside.add(at)
            children: list[Any] = node.value
            parts = [each for child in children for each in (child if isinstance(child, tuple) else (child,))]
            counted[at] = 1 + sum(count(part) for part in parts)
            inside.discard(at)
        if counted[at] > MAX_NODES:
            raise RecipeError(f"line {node.start_mark.line + 1}: {_TOO_MANY}")
        return counted[at]

    count(root)


def _apart(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _apart(item) for key, item in cast("dict[Any, Any]", value).items()}
    return [_apart(item) for item in cast("list[Any]", value)] if isinstance(value, list) else value


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Hashable, Any]:
    """Plain YAML silently keeps the last of two equal keys."""
    seen: set[Hashable] = set()
    for key_node, _ in node.value:
        line = key_node.start_mark.line + 1
        if key_node.tag == _PREFIX + "merge":
            continue
        if not isinstance(key_node, yaml.ScalarNode):
            raise RecipeError(f"line {line}: a list or a mapping is no key. Write a name.")
        key = cast(Hashable, loader.construct_object(key_node, deep=True))
        if key in seen:
            raise RecipeError(f"line {line}: {key!r} is written twice. Remove or rename one.")
        seen.add(key)
    loader.flatten_mapping(node)
    if len(node.value) > MAX_NODES:
        raise RecipeError(f"line {node.start_mark.line + 1}: more than {MAX_NODES} keys, `<<` written out.")
    return loader.construct_mapping(node, deep=True)


def _bool(loader: _Loader, node: yaml.ScalarNode) -> bool:
    written = loader.construct_scalar(node).lower()
    if written not in ("true", "false"):
        raise RecipeError(f"line {node.start_mark.line + 1}: {written[:60]!r} is neither true nor false.")
    return written == "true"


def _int(loader: _Loader, node: yaml.ScalarNode) -> int:
    written = loader.construct_scalar(node)
    if len(written) > 40:
        raise RecipeError(f"line {node.start_mark.line + 1}: a number of {len(written)} digits.")
    number = int(written, 0) if written[:2] in ("0o", "0x") else int(written)
    if abs(number) >= 2**63:
        raise RecipeError(f"line {node.start_mark.line + 1}: {written} is too large a whole number.")
    return number


def _float(loader: _Loader, node: yaml.ScalarNode) -> float:
    written = loader.construct_scalar(node)
    word = written.lower().lstrip("-+")
    number = math.inf if word == ".inf" else math.nan if word == ".nan" else float(written)
    if not math.isfinite(number):
        raise RecipeError(
            f"line {node.start_mark.line + 1}: {written[:60]} is no finite number, and every number here is."
        )
    return number


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)
_Loader.add_constructor(_PREFIX + "bool", _bool)
_Loader.add_constructor(_PREFIX + "int", _int)
_Loader.add_constructor(_PREFIX + "float", _float)
for _tag in ("timestamp", "binary", "set", "omap", "pairs"):
    _Loader.yaml_constructors.pop(_PREFIX + _tag, None)
_FAST = _fast_loader()
