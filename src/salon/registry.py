"""How a recipe names a part: a built-in's short name, or a `module:attribute` path to somebody's own.

The built-ins stand in one literal table. Nothing registers itself: to add a part, write a module and name it
in the recipe (`scorer: my_scorers:Sharpness`), or add one line here.

A recipe is a file that people share, and importing a module runs it. So a module is imported only where the
user allowed it: by `--allow my_scorers`, SALON_ALLOW=my_scorers, or `allow("my_scorers")` in Python. It is
looked for where Python looks, then in the working folder, then beside the recipe. SALON_ALLOW, which stays
set, is of the first two alone: a stranger's recipe may come with a module of the same name.
"""

import difflib
import hashlib
import heapq
import importlib
import importlib.util
import inspect
import os
import re
import sys
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, Literal

from salon.errors import RecipeError, SetupError

Kind = Literal["medium", "scorer", "judge", "author", "classifier", "policy", "reader"]

BUILTINS: Mapping[str, Mapping[str, str]] = {
    "medium": {
        "p5.brush": "salon.media.p5.medium:SketchMedium",
        "svg": "salon.media.svg.medium:SvgMedium",
        "fake": "salon.media.fake:FakeMedium",
        "cluster": "salon.media.cluster:ClusterMedium",
    },
    "scorer": {
        "sketch_gate": "salon.scorers.gates.sketch_gate:SketchGate",
        "rendered": "salon.scorers.gates.rendered:Rendered",
        "uses_brush": "salon.scorers.gates.uses_brush:UsesBrush",
        "length": "salon.scorers.gates.length:Length",
        "length_ramp": "salon.scorers.gates.length_ramp:LengthRamp",
        "palette": "salon.scorers.palette:Palette",
        "diversity": "salon.scorers.diversity:Diversity",
        "pairwise": "salon.scorers.pairwise:Pairwise",
        "round_robin": "salon.scorers.round_robin:RoundRobin",
        "preference": "salon.scorers.models.preference:Preference",
        "checklist": "salon.scorers.checklist:Checklist",
        "constraints": "salon.scorers.constraints:Constraints",
        "hack_detector": "salon.scorers.hack_detector:HackDetector",
        "pixel_detector": "salon.scorers.pixel_detector:PixelDetector",
        "unwanted_text": "salon.scorers.text.unwanted_text:UnwantedText",
        "text_in_picture": "salon.scorers.text.text_in_picture:TextInPicture",
        "near_duplicates": "salon.scorers.near_duplicates:NearDuplicates",
        "base_comparison": "salon.scorers.base_comparison:BaseModelComparison",
        "critique": "salon.scorers.critique:CritiqueScore",
        "served": "salon.scorers.models.served:Served",
        "clip": "salon.contrib.clip:Clip",
        "hpsv2": "salon.contrib.hpsv2:HPSv2",
        "pickscore": "salon.contrib.clip:PickScore",
        "hpsv3": "salon.contrib.hpsv3:HPSv3",
        "image_reward": "salon.contrib.image_reward:ImageReward",
        "unified_reward": "salon.contrib.unified_reward:UnifiedReward",
        "edit_reward": "salon.contrib.edit_reward:EditReward",
        "edit_score": "salon.contrib.edit_score:EditScore",
        "edit_score_local": "salon.contrib.edit_score_local:EditScoreLocal",
    },
    "judge": {
        "taste": "salon.judges.learned.taste:TasteJudge.load",
        "openai": "salon.judges.vlm.chat_judge:OpenAIJudge",
        "anthropic": "salon.judges.vlm.chat_judge:anthropic_judge",
        "gemini": "salon.judges.vlm.chat_judge:gemini_judge",
        "rational": "salon.judges.vlm.rational:RationalJudge",
        "council": "salon.judges.council:Council",
        "pixels": "salon.judges.pixel_judge:PixelJudge",
        "fake": "salon.judges.fake:FakeJudge",
    },
    "author": {
        "openai": "salon.rubrics.chat_author:ChatAuthor",
    },
    "classifier": {
        "keywords": "salon.rewards.keywords:Keywords",
        "intent": "salon.rubrics.classify:Intent",
        "applies": "salon.rubrics.classify:Applies",
    },
    "policy": {
        "fake": "salon.policies.fake:FakePolicy",
    },
    "reader": {},
}

METHODS: Mapping[Kind, tuple[str, ...]] = {
    "medium": ("extract", "check", "render", "versions", "close"),
    "scorer": ("score",),
    "judge": ("compare", "assess", "answer", "critique"),
    "author": ("write",),
    "classifier": ("label",),
    "policy": ("write",),
    "reader": ("read",),
}
"""What a part of each kind can do; a judge does one of these, all others do all."""

_allowed: set[str] = set()
_folders: list[Path] = []


def allow(*names: str) -> None:
    """Let recipes use these modules (with the modules inside them), for as long as this process lives. Of
    VARIABLE@host, see salon.variables.expand_env.
    """
    _allowed.update(name.strip() for name in names if name.strip())


def allowed() -> set[str]:
    """What recipes may use beside salon's own parts: from `allow`, and from SALON_ALLOW, between commas."""
    return _allowed | {name for name in re.split(r"[,\s]+", os.environ.get("SALON_ALLOW", "")) if name}


def look_in(folder: Path) -> None:
    """Look for allowed modules in a recipe's folder, too, and let recipes read the files in it."""
    place = folder.resolve()
    if place not in _folders:
        _folders.append(place)


def check_readable(path: str, where: str) -> None:
    """Refuse a text that a recipe reads, and that may be sent to a host that it names, from anywhere but
    beside the recipe or in the working folder: it may be a stranger's, and name any file of the user's.

    Raises:
        RecipeError: the file lies elsewhere, by a link or by "..", or is hidden; says what to add.
    """
    place = Path(os.path.realpath(path))
    for root in (Path.cwd().resolve(), *_folders):
        shown = place.is_relative_to(root) and place.relative_to(root).parts
        if shown and not any(part.startswith(".") for part in shown):
            return
    if not any(place == Path(name).resolve() for name in allowed() if "/" in name or os.sep in name):
        raise RecipeError(
            f"{where}: {path} is neither beside the recipe nor in the folder you work in, or is hidden, and"
            f" what stands in it may be sent to a judge. Where that is right, add --allow {place}"
        )


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A closing sentence for an error: the nearest known word, or the first ones. Starts with a space.

    It takes bounded time, whatever stands in a file: words are compared by their first letters, and with
    those of about the same length.
    """
    names = sorted(known)
    alike = heapq.nsmallest(_COMPARED, names, key=lambda name: abs(len(name) - len(word)))
    cut = {name[:_LETTERS]: name for name in reversed(alike)}
    near = difflib.get_close_matches(word[:_LETTERS], cut, n=1, cutoff=0.5)
    return f" Did you mean {_short(cut[near[0]])!r}?" if near else f" Known: {few(names)}."


_LETTERS, _COMPARED, _TOLD = 60, 200, 60


def few(names: Sequence[str], most: int = _TOLD) -> str:
    """a, b, c and 1,997 more: the first names of a list of any length, each cut to 60 letters."""
    told = ", ".join(_short(name) for name in names[:most])
    return f"{told} and {len(names) - most:,} more" if len(names) > most else told


def _short(name: str) -> str:
    return name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…"


def load(path: str) -> Any:
    """The object at `module:attribute` (attribute may be dotted: `module:Class.method`), whatever it is: for
    paths that no recipe gave.

    Raises RecipeError when the module or the attribute is not there, and SetupError when the module is there
    but a package that it imports is not.
    """
    module_name, _, attribute = path.partition(":")
    if not module_name or not attribute:
        raise RecipeError(f"{path!r} is no module:attribute path. Write it as 'package.module:Name'.")
    try:
        found: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise _not_found(path, module_name, error) from error
    for part in attribute.split("."):
        try:
            found = getattr(found, part)
        except AttributeError as error:
            known = [name for name in dir(found) if not name.startswith("_")]
            raise RecipeError(f"{path!r}: there is no {part!r} in it.{did_you_mean(part, known)}") from error
    return found


def resolve(kind: Kind, name_or_path: str) -> Any:
    """The class or function meant by `name_or_path`: a built-in of this kind, or a module:attribute path to
    somebody's own, in a module that the user allowed.

    Raises:
        RecipeError: there is no such built-in (with a suggestion), the module is not allowed (with what to
            add), or what is there is no class or function of that module, or cannot be such a part.
    """
    if ":" in name_or_path:
        return _own(kind, name_or_path)
    table = BUILTINS[kind]
    if name_or_path not in table:
        raise RecipeError(
            f"no {kind} is called {name_or_path!r}.{did_you_mean(name_or_path, table)}"
            f" Your own {kind} goes by its module:attribute path."
        )
    return load(table[name_or_path])


def source_digest(kind: Kind, path: str) -> str:
    """The hash of the file that a part of somebody's own is written in; empty where it has none. What that
    file imports is not looked at.
    """
    try:
        return hashlib.sha256(Path(inspect.getfile(resolve(kind, path))).read_bytes()).hexdigest()
    except (OSError, TypeError):
        return ""


def missing_of(kind: Kind, part: Any) -> str:
    """What a class or an object lacks to be a part of this kind; nothing where it lacks nothing."""
    lacking = [name for name in METHODS[kind] if not callable(getattr(part, name, None))]
    if kind == "judge":
        return "one of " + ", ".join(lacking) if len(lacking) == len(METHODS[kind]) else ""
    return ", ".join(lacking)


def _own(kind: Kind, path: str) -> Any:
    module, _, attribute = path.partition(":")
    top = module.split(".")[0]
    if path in BUILTINS[kind].values():
        return load(path)
    if not attribute or not re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*", module):
        raise RecipeError(f"{path!r} is no module:attribute path. Write it as 'package.module:Name'.")
    with _on_path(_find(path, module, top) if top != "salon" else None):
        found = load(path)
    home = str(getattr(found, "__module__", None)).split(".")[0]
    is_class, is_function = inspect.isclass(found), inspect.isfunction(found) or inspect.ismethod(found)
    if home != top or not (is_class or (is_function and top != "salon")):
        what = "class" if top == "salon" else "class or function"
        raise RecipeError(f"{path!r} is no {what} that is written in {top}, and a {kind} is one.")
    if is_class and (lacking := missing_of(kind, found)):
        raise RecipeError(f"{path!r} is no {kind}: it lacks {lacking}.")
    return found


def _find(path: str, module: str, top: str) -> Path | None:
    """Make sure that a module may be imported, and can be: from this folder, or, for None, as any other.

    Raises:
        RecipeError: it is not allowed, or not there.
    """
    folder = None if top in sys.modules or importlib.util.find_spec(top) else _folder_of(top)
    if folder is None and top not in sys.modules and importlib.util.find_spec(top) is None:
        raise _not_found(path, module, ModuleNotFoundError(name=top))
    elsewhere = folder is not None and folder != Path.cwd().resolve()
    names = _allowed if elsewhere else allowed()
    parts = module.split(".")
    if not any(".".join(parts[:count]) in names for count in range(1, len(parts) + 1)):
        where = f" ({_file_in(folder, top)})" if folder else ""
        variable = "" if elsewhere else f"or set SALON_ALLOW={top}; "
        raise RecipeError(
            f"{path!r}: the module {top!r}{where} is not allowed. Importing it runs it, and a recipe may come"
            f" from anybody: read it, then add --allow {top} ({variable}in Python,"
            f" salon.allow({top!r}))."
        )
    return folder


@contextmanager
def _on_path(folder: Path | None) -> Generator[None]:
    """Import from a folder, behind everything else, so that it shadows nothing; and not after: what is looked
    for later, and is not installed, must not be found there.
    """
    if folder is None:
        yield
        return
    sys.path.append(str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def _folder_of(top: str) -> Path | None:
    """The working folder, or the one beside a recipe, that has a module."""
    for folder in (Path.cwd().resolve(), *_folders):
        if PathFinder.find_spec(top, [str(folder)]) is not None:
            return folder
    return None


def _file_in(folder: Path, top: str) -> Path:
    """A module's file, or the folder of a package."""
    file = folder / f"{top}.py"
    return file if file.is_file() and not (folder / top / "__init__.py").is_file() else folder / top


def _not_found(path: str, module_name: str, error: ModuleNotFoundError) -> Exception:
    missing = error.name or ""
    if module_name == missing or module_name.startswith(missing + "."):
        return RecipeError(
            f"{path!r}: there is no module {missing!r}. Install it, or put it beside the recipe."
        )
    return SetupError(
        f"{path!r} needs the package {missing!r}, which is not installed. Try: pip install {missing}"
    )
