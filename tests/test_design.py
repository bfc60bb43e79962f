"""The rules of the code, as tests: who may import whom, how long things are, and what stays out."""

import ast
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterator
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

each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SRC)))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def part_of(path: Path) -> str:
    """The part a file belongs to: its folder, or its own name at the top ("" for salon/__init__.py)."""
    first = path.relative_to(SRC).parts[0]
    return first.removesuffix(".py").removesuffix("__init__")


def imported(node: ast.AST, path: Path) -> list[str]:
    """The modules an import statement names, in full; [] for any other node."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.level <= 1, f"{path}:{node.lineno}: import from another part by its full name"
        if node.level == 1:
            return [f"salon.{part_of(path)}.{node.module}"]
        module = node.module or ""
        if module == "salon":
            return [f"salon.{alias.name}" for alias in node.names]
        return [module]
    return []


def functions(module: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(module):
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


@each_file
def test_imports_point_one_way(path: Path) -> None:
    part = part_of(path)
    assert part in MAY_IMPORT, f"{part} is a new part: give it a row in MAY_IMPORT"
    for node in ast.walk(tree(path)):
        for name in imported(node, path):
            if not name.startswith("salon."):
                continue
            other = name.split(".")[1]
            allowed = MAY_IMPORT[part] | {part, "__version__"}
            where = f"{path.name}:{getattr(node, 'lineno', 0)}"
            assert other in allowed, f"{where}: {part or 'salon'} must not import {name}"


@each_file
def test_heavy_libraries_are_imported_inside_functions(path: Path) -> None:
    for node in at_import(tree(path)):
        for name in imported(node, path):
            assert name.split(".")[0] not in HEAVY, (
                f"{path.name}: import {name} inside the function that needs it"
            )


@each_file
def test_files_functions_and_nesting_stay_small(path: Path) -> None:
    module = tree(path)
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines <= 500, f"{path.name} has {lines} lines; 500 is the limit"
    for function in functions(module):
        where = f"{path.name}:{function.lineno} {function.name}"
        assert length(function) <= 60, f"{where} has {length(function)} lines; 60 is the limit"
        assert nesting(function) <= 4, f"{where} nests {nesting(function)} deep; 4 is the limit"


def test_the_median_function_is_short() -> None:
    lengths = [length(function) for path in FILES for function in functions(tree(path))]
    assert statistics.median(lengths) <= 12


@each_file
def test_what_stays_out(path: Path) -> None:
    for node in ast.walk(tree(path)):
        where = f"{path.name}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "hasattr", f"{where}: hasattr hides which type this is"
            assert node.func.id != "print" or path.name == "cli.py", f"{where}: only cli.py prints"
        if isinstance(node, ast.ExceptHandler) and path.name != "errors.py":
            caught = ast.unparse(node.type) if node.type else "everything"
            cleans_up = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
            broad = caught in {"everything", "Exception"} or (caught == "BaseException" and not cleans_up)
            assert not broad, f"{where}: catches {caught}; name the exceptions, or use errors.boundary"


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
