"""`import salon`: what it names is all there, is told about, and is what editors and type checkers see."""

import ast
import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import salon
from salon import errors, types

INIT = Path(salon.__file__)
PROTOCOLS = ("Classifier", "Critic", "Examiner", "Judge", "Medium", "Rater", "Scorer")

each_name = pytest.mark.parametrize("name", salon.__all__)


def run_python(code: str, folder: Path | None = None) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True, text=True, timeout=120, check=False, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@each_name
def test_each_name_is_there_and_says_what_it_is(name: str) -> None:
    found = getattr(salon, name)
    told = inspect.getdoc(found)
    assert told
    # Of its own: a dataclass without a docstring gets its signature, an exception its base's.
    assert not told.startswith(f"{name}(")
    assert told != inspect.getdoc(Exception)


def imported_for_checkers() -> set[str]:
    tree = ast.parse(INIT.read_text(encoding="utf-8"))
    blocks = [
        node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    return {
        alias.asname or alias.name
        for block in blocks
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_checkers_see_exactly_the_public_names() -> None:
    assert imported_for_checkers() == set(salon.__all__)
    assert len(salon.__all__) == len(set(salon.__all__))


def test_pyright_sees_them_and_no_others(tmp_path: Path) -> None:
    lines = ["import salon", *(f"print(salon.{name})" for name in salon.__all__), "print(salon.scored)"]
    (tmp_path / "use.py").write_text("\n".join(lines), encoding="utf-8")
    pyright = Path(sys.executable).with_name("pyright")
    if not pyright.exists():
        pytest.skip("pyright is not installed")
    settings = {"extraPaths": [str(INIT.parents[1])], "typeCheckingMode": "basic", "include": ["use.py"]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    done = subprocess.run(
        [str(pyright), "--outputjson", "--pythonpath", sys.executable, "-p", str(tmp_path)],
        capture_output=True, text=True, timeout=250, check=False, cwd=tmp_path,
    )  # fmt: skip
    found = json.loads(done.stdout)["generalDiagnostics"]
    assert [each["range"]["start"]["line"] for each in found] == [len(lines) - 1], found


def test_a_fresh_import_finds_each_name_and_dir_lists_them() -> None:
    code = (
        "import salon; assert set(salon.__all__) <= set(dir(salon));"
        "print(sorted(name for name in salon.__all__ if name in vars(salon)));"
        "[getattr(salon, name) for name in salon.__all__];"
        "exec('from salon import *'); print(score is salon.score)"
    )
    assert run_python(code).split("\n")[:2] == ["[]", "True"]


def test_importing_salon_alone_loads_nothing_of_weight() -> None:
    code = (
        "import sys, salon; dir(salon); salon.Prompt; salon.RecipeError; salon.score;"
        "heavy = {'polars', 'onnxruntime', 'torch', 'numpy', 'PIL', 'pydantic', 'typer'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert run_python(code).strip() == "[]"


def test_a_name_that_is_not_public_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = salon.nothing  # type: ignore[attr-defined]


def test_no_public_name_is_that_of_a_module() -> None:
    """An import of the module would put it where the name was."""
    modules = {path.stem for path in INIT.parent.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert not modules & set(salon.__all__)


def test_all_protocols_and_errors_are_public() -> None:
    told = {
        name for name, each in vars(errors).items() if inspect.isclass(each) and issubclass(each, Exception)
    }
    assert told <= set(salon.__all__)
    protocols = {name for name, each in vars(types).items() if getattr(each, "_is_protocol", False)}
    assert protocols - {"Protocol"} <= set(salon.__all__)
    assert set(PROTOCOLS) <= protocols


def test_what_is_listed_is_public() -> None:
    assert {name for name in dir(salon) if not name.startswith("__")} == set(salon.__all__) - {"__version__"}
