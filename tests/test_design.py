"""The rules of the code, as tests: who may import whom, how long things are, and what stays out."""

import ast
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SRC = ROOT / "src" / "salon"
FILES = sorted(SRC.rglob("*.py"))

FOUNDATION = {
    *("types", "errors", "registry", "validation", "raster", "markup", "installed", "intervals"),
    *("files", "secrets", "variables", "bool_as_number", "terminal", "parts", "allow_option", "number_text"),
    "notebook",
}
MIDDLE = {"media", "judges", "pool", "policies"}
UP_TO_SCORERS = FOUNDATION | {"store", "llm", "serving", "rubrics", "scorers"} | MIDDLE
UP_TO_RECIPE = UP_TO_SCORERS | {"rewards", "recipe"}
TOP = {"training", "evals", "diagnosis", "report", "rescoring", "refine", "studio", "adapters"}

# What each part may import besides itself and `salon` alone (its version).
MAY_IMPORT: dict[str, set[str]] = {
    # Lazily: it names what is public.
    "": UP_TO_RECIPE | TOP | {"api"},
    "types": {"markup", "notebook", "number_text"},
    "notebook": {"markup"},
    "bool_as_number": set(),
    "number_text": set(),
    "intervals": set(),
    "terminal": {"markup"},
    "markup": {"secrets"},
    "errors": {"types", "markup", "secrets"},
    "registry": {"types", "errors"},
    "raster": {"types", "errors"},
    "installed": {"errors"},
    "secrets": set(),
    "variables": {"errors", "registry", "secrets"},
    "files": {"types", "errors", "secrets", "registry", "installed"},
    "validation": {"types", "errors", "registry", "secrets", "files", "bool_as_number"},
    "parts": {"types", "errors", "registry", "installed", "bool_as_number"},
    "allow_option": {"registry"},
    "store": FOUNDATION,
    "llm": FOUNDATION,
    "judges": FOUNDATION | {"store", "llm"},
    **dict.fromkeys(MIDDLE - {"judges"}, FOUNDATION | {"store"}),
    "serving": FOUNDATION | {"llm", "judges"},
    "rubrics": FOUNDATION | {"store", "llm", "judges", "pool"},
    "scorers": FOUNDATION | {"store", "llm", "rubrics"} | MIDDLE,
    "contrib": FOUNDATION | {"llm", "judges", "scorers"},
    "rewards": UP_TO_SCORERS,
    "recipe": UP_TO_RECIPE - {"recipe"},
    **dict.fromkeys(TOP, UP_TO_RECIPE),
    "studies": UP_TO_RECIPE | TOP,
    "environment": UP_TO_RECIPE,
    "api": UP_TO_RECIPE | TOP,
    "__main__": {"cli"},
    "cli": UP_TO_RECIPE | TOP | {"api", "studies", "environment"},
}

HEAVY = {"torch", "transformers", "trl", "peft", "accelerate", "datasets", "diffusers", "ray"}
FORBIDDEN_NAMES = {"utils", "util", "common", "helpers", "helper", "base", "core"}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file, walked once for every rule."""
    return tuple(ast.walk(tree(path)))


def place(path: Path, node: ast.AST | None = None) -> str:
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"


def part_of(path: Path) -> str:
    """The part a file belongs to: its folder, or its own name at the top ("" for salon/__init__.py)."""
    first = path.relative_to(SRC).parts[0]
    return first.removesuffix(".py").removesuffix("__init__")


def imported(node: ast.AST, path: Path) -> list[str]:
    """The modules an import statement names, in full; [] for any other node."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        if node.level == 1:
            return [f"salon.{part_of(path)}.{node.module}"]
        module = node.module or ""
        if module == "salon":
            return [f"salon.{alias.name}" for alias in node.names]
        return [module]
    return []


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def nesting(node: ast.AST) -> int:
    """How deep blocks stand inside one another below `node` (an elif chain counts once)."""
    blocks = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)
    deepest = 0
    for child in ast.iter_child_nodes(node):
        is_elif = isinstance(node, ast.If) and isinstance(child, ast.If) and node.orelse == [child]
        step = 1 if isinstance(child, blocks) and not is_elif else 0
        deepest = max(deepest, step + nesting(child))
    return deepest


def at_import(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when the module is imported: everything outside functions and TYPE_CHECKING."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING"):
            continue
        yield child
        yield from at_import(child)


# Each rule looks at every file in one test, and lists every place that breaks it.


def imports_the_wrong_way(path: Path) -> Iterator[str]:
    part = part_of(path)
    if part not in MAY_IMPORT:
        yield f"{place(path)}: {part} is a new part: give it a row in MAY_IMPORT"
        return
    allowed = MAY_IMPORT[part] | {part, "__version__"}
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and node.level > 1:
            yield f"{place(path, node)}: imports from another part by dots; give its full name"
        for name in imported(node, path):
            if name.startswith("salon.") and name.split(".")[1] not in allowed:
                yield f"{place(path, node)}: {part or 'salon'} must not import {name}"


def heavy_at_import(path: Path) -> Iterator[str]:
    for node in at_import(tree(path)):
        for name in imported(node, path):
            if name.split(".")[0] in HEAVY:
                yield f"{place(path, node)}: import {name} inside the function that needs it"


def too_large(path: Path) -> Iterator[str]:
    lines = path.read_text(encoding="utf-8").count("\n")
    if lines > 500:
        yield f"{place(path)}: {lines} lines; 500 is the limit"
    for function in functions(path):
        where = f"{place(path, function)} {function.name}"
        if length(function) > 60:
            yield f"{where} has {length(function)} lines; 60 is the limit"
        if nesting(function) > 4:
            yield f"{where} nests {nesting(function)} deep; 4 is the limit"


def stays_out(path: Path) -> Iterator[str]:
    for node in nodes(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "hasattr":
                yield f"{place(path, node)}: hasattr hides which type this is"
            if node.func.id == "print" and path.name != "cli.py":
                yield f"{place(path, node)}: only cli.py prints"
        if isinstance(node, ast.ExceptHandler) and path.name != "errors.py":
            caught = ast.unparse(node.type) if node.type else "everything"
            cleans_up = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
            if caught in {"everything", "Exception"} or (caught == "BaseException" and not cleans_up):
                yield f"{place(path, node)}: catches {caught}; name the exceptions, or use errors.boundary"


RULES = (imports_the_wrong_way, heavy_at_import, too_large, stays_out)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_file_keeps_the_rule(rule: Callable[[Path], Iterator[str]]) -> None:
    assert len(FILES) > 300
    assert [told for path in FILES for told in rule(path)] == []


@pytest.mark.parametrize(
    ("rule", "source", "told"),
    [
        (imports_the_wrong_way, "def f():\n    from salon.training import grpo", ":2: media must not import"),
        (imports_the_wrong_way, "from ..training import grpo", ":1: imports from another part by dots"),
        (heavy_at_import, "class A:\n    import torch.nn", ":2: import torch.nn inside"),
        (too_large, "\n" * 501, "501 lines"),
        (too_large, "def f():\n" + "    x = 1\n" * 60, ":1 f has 61 lines"),
        (too_large, "def f():\n" + "".join(f"{' ' * 4 * at}while x:\n" for at in range(1, 6))
         + " " * 24 + "x", "nests 5 deep"),
        (stays_out, "hasattr(a, 'b')", "hasattr hides"),
        (stays_out, "print(1)", "only cli.py prints"),
        (stays_out, "try:\n    a\nexcept Exception:\n    pass", ":3: catches Exception"),
        (stays_out, "try:\n    a\nexcept:\n    pass", "catches everything"),
        (stays_out, "try:\n    a\nexcept BaseException:\n    pass", "catches BaseException"),
    ],
)  # fmt: skip
def test_a_rule_names_the_file_that_breaks_it(
    rule: Callable[[Path], Iterator[str]],
    source: str,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    monkeypatch.setattr(sys.modules[__name__], "SRC", tmp_path / "salon")
    file = tmp_path / "salon" / "media" / "broken.py"
    file.parent.mkdir(parents=True)
    file.write_text(source)
    (said,) = rule(file)
    assert said.startswith("salon/media/broken.py")
    assert told in said


def test_the_median_function_is_short() -> None:
    assert statistics.median(length(function) for path in FILES for function in functions(path)) <= 12


def test_no_module_is_a_drawer_for_odds_and_ends() -> None:
    names = {part.removesuffix(".py") for path in FILES for part in path.relative_to(SRC).parts}
    assert not names & FORBIDDEN_NAMES


def test_no_folder_is_too_full_to_read() -> None:
    for folder in {path.parent for path in FILES}:
        files = [path.name for path in FILES if path.parent == folder]
        assert len(files) <= 20, f"{folder.relative_to(SRC)}/ has {len(files)} files: give it rooms"
        twice = [name for name in files if (folder / name.removesuffix(".py")).is_dir()]
        assert not twice, f"{folder.relative_to(SRC)}/ has {twice} beside a folder of the same name"


def test_every_public_module_says_what_it_is_for() -> None:
    silent = [
        str(path.relative_to(SRC))
        for path in FILES
        if path.stat().st_size > 0 and not ast.get_docstring(tree(path))
    ]
    assert silent == []


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=60, check=False
    )


def test_importing_salon_imports_no_heavy_library() -> None:
    code = (
        "import sys, salon, salon.types, salon.errors, salon.registry, salon.cli, salon.api; salon.score;"
        f"print(sorted({HEAVY | {'onnxruntime', 'polars', 'playwright', 'rich'}!r} & set(sys.modules)))"
    )
    done = run("-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def test_every_module_of_the_core_imports_without_torch() -> None:
    names = [
        ".".join(("salon", *path.relative_to(SRC).with_suffix("").parts)).removesuffix(".__init__")
        for path in FILES
        if path.name != "__main__.py"
    ]
    code = (
        f"import importlib, sys; [sys.modules.__setitem__(name, None) for name in {sorted(HEAVY)!r}];"
        f"[importlib.import_module(name) for name in {names!r}]"
    )
    done = run("-c", code)
    assert done.returncode == 0, done.stderr


def test_help_answers_at_once() -> None:
    seconds: list[float] = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = run("-m", "salon.cli", "--help")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        assert done.returncode == 0, done.stderr
        assert "Commands" in done.stdout
    # The CPU's seconds, which a busy machine does not stretch the way it stretches the clock's.
    assert min(seconds) <= 0.35
