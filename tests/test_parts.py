"""What a recipe can run, and what is said of arguments of the wrong kind. Modules here are real files."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from salon import registry
from salon.errors import RecipeError, SetupError
from salon.media import open_medium
from salon.parts import built
from salon.registry import resolve
from salon.rewards.engine import RewardEngine
from salon.rewards.recipe import load_reward
from salon.rubrics.generation.recipe import Part, build_part
from salon.scorers.gates.length import Length

OWN = """
import os, subprocess
from functools import partial
from salon.types import Score
class Sharp:
    version = "1"
    def __init__(self, radius: int = 2, name: str = "x", tone: list[str] = [], flag=False):
        self.given = (radius, name, tone, flag)
    def score(self, group): return [Score(1.0) for _ in group.samples]
class Nameless:
    def score(self, group): return []
class NoScorer:
    version = "1"
class Broken(Sharp):
    def __init__(self): raise ValueError("no weights here")
class Needy(Sharp):
    def __init__(self): import no_such_package_for_it
def sharp(radius: int = 2): return Sharp(radius)
def wrong(): return 7
class Shy(Sharp):
    @property
    def version(self): raise KeyError("no version today")
class Long(Sharp):
    version = "1" * 50_000_000
class Secret(Sharp):
    @property
    def identity(self): raise OSError("the model is gone")
class Judging:
    identity = "mine"
    def compare(self, prompt, pairs): return []
class ShyJudge(Judging):
    @property
    def identity(self): raise KeyError("no name today")
class Fickle(Judging):
    @property
    def answer(self): raise KeyError("no answer today")
half = partial(Sharp, radius=1)
ready = Sharp()
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A recipe's folder with a module of somebody's own, not allowed yet."""
    monkeypatch.setattr(registry, "_allowed", set())
    monkeypatch.setattr(registry, "_folders", [])
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delenv("SALON_ALLOW")
    (tmp_path / "own_part.py").write_text(
        f"import pathlib; pathlib.Path({str(tmp_path / 'ran')!r}).write_text('x')\n{OWN}"
    )
    (tmp_path / "r.yaml").write_text("terms: {a: {scorer: 'own_part:Sharp', weight: 1, args: {radius: 3}}}\n")
    yield tmp_path
    sys.modules.pop("own_part", None)


def test_a_module_beside_the_recipe_runs_only_where_it_is_allowed(own: Path) -> None:
    recipe = load_reward(own / "r.yaml")
    with pytest.raises(RecipeError, match=r"own_part' \(.*own_part\.py\) is not allowed.*--allow own_part"):
        RewardEngine(recipe)
    assert not (own / "ran").exists(), "it was imported"
    RewardEngine(load_reward(own / "r.yaml", allow=["own_part"]))
    assert (own / "ran").read_text() == "x"


def test_the_working_folder_and_the_variable_do_as_well(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(own)
    with pytest.raises(RecipeError, match="not allowed"):
        resolve("scorer", "own_part:Sharp")
    monkeypatch.setenv("SALON_ALLOW", "other, own_part")
    assert resolve("scorer", "own_part:Sharp").version == "1"


def test_a_variable_that_stays_set_allows_no_module_that_comes_with_a_recipe(
    own: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("SALON_ALLOW", "own_part")
    with pytest.raises(RecipeError, match=r"own_part' \(.*own_part\.py\) is not allowed") as raised:
        RewardEngine(load_reward(own / "r.yaml"))
    assert "SALON_ALLOW" not in str(raised.value)
    assert not (own / "ran").exists()
    mine = tmp_path_factory.mktemp("mine")
    (mine / "own_part.py").write_text(OWN.replace('"1"', '"mine"'))
    monkeypatch.chdir(mine)
    before = list(sys.path)
    engine = RewardEngine(load_reward(own / "r.yaml"))
    assert "mine" in str(engine.identities()), "what lies where the user works comes first"
    assert not (own / "ran").exists()
    assert sys.path == before, "nothing else is found in a recipe's folder later"


def test_a_recipe_reads_no_text_of_elsewhere_to_send_it(
    own: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home, work = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("work")
    (home / "notes.txt").write_text("mine")
    (work / ".aws").mkdir()
    for place in (work / ".aws" / "credentials", work / "criteria.md", own / "beside.md"):
        place.write_text("softer edges")
    (own / "link.md").symlink_to(home / "notes.txt")
    monkeypatch.chdir(work)

    def reading(file: str, key: str = "criteria") -> RewardEngine:
        judge = {"kind": "openai", "model": "m", "base_url": "http://127.0.0.1:1/v1", key: {"file": file}}
        term = {"scorer": "pairwise", "weight": 1, "judge": "v", "args": {"pool": "flowers", "references": 1}}
        return RewardEngine(load_reward({"terms": {"a": term}, "judges": {"v": judge}}))

    registry.look_in(own)
    for file in ("/proc/self/environ", str(home / "notes.txt"), str(own / "link.md"), ".aws/credentials"):
        for key in ("criteria", "system", "guides"):
            with pytest.raises(
                RecipeError, match=rf"judges\.v\.{key}\.file: .* may be sent to a judge.*--allow"
            ):
                reading(file, key)
    reading("criteria.md")
    reading(str(own / "beside.md"))
    registry.allow(str(home / "notes.txt"))
    reading(str(home / "notes.txt"))


CODE = (
    *("os:system", "subprocess:run", "builtins:eval", "builtins:exec", "shutil:rmtree", "posix:system"),
    *(
        "importlib:import_module",
        "runpy:run_path",
        "pickle:loads",
        "ctypes:CDLL",
    ),
    *(
        "salon.environment.setup:run",
        "salon.environment.setup:subprocess.run",
        "salon.registry:load",
        "salon.registry:importlib",
    ),
    *(
        "salon.media.p5.browser_supervisor:os.system",
        "salon.cli:main",
        "salon.scorers.gates.length:Length.score",
    ),
    *(
        "salon.media.p5.chromium:Browser",
        "salon.store.runs:Run",
        "salon.registry:allow",
        "this:s",
        "..:x",
        "a b:c",
        "os.path:os",
    ),
)


@pytest.mark.parametrize("path", CODE)
@pytest.mark.parametrize("kind", ["scorer", "judge", "medium", "classifier", "author", "policy", "reader"])
def test_what_is_no_part_is_refused_for_every_kind(own: Path, kind: Any, path: str) -> None:
    with pytest.raises(RecipeError, match=r"not allowed|is no |it lacks|no module"):
        resolve(kind, path)


ATTRIBUTES = (
    *("os.system", "subprocess.Popen", "subprocess.run", "partial", "Score", "half", "ready", "NoScorer"),
    *("OWN", "__builtins__", "Sharp.score.__globals__"),
)


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_an_allowed_module_gives_its_own_classes_and_functions_only(own: Path, attribute: str) -> None:
    registry.allow("own_part")
    registry.look_in(own)
    with pytest.raises(RecipeError, match=r"is no |there is no|it lacks score"):
        resolve("scorer", f"own_part:{attribute}")


def test_a_class_of_salon_that_is_such_a_part_goes_by_its_path(own: Path) -> None:
    assert resolve("scorer", "salon.scorers.gates.length:Length") is Length
    assert resolve("judge", "salon.judges.fake:FakeJudge").__name__ == "FakeJudge"


def make(name: str, args: Mapping[str, Any]) -> Any:
    return built("scorer", name, args, "reward.terms.a.args")


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("Sharp", {"radius": "wide"}, r"terms\.a\.args\.radius: .*integer.*found 'wide'"),
        ("Sharp", {"radius": 2.5}, r"args\.radius"),
        ("Sharp", {"radius": None}, r"args\.radius"),
        ("Sharp", {"radius": [1]}, r"args\.radius"),
        ("Sharp", {"name": 5}, r"args\.name: .*string.*found 5.*quotes"),
        ("Sharp", {"tone": "red"}, r"args\.tone: .*list"),
        ("Sharp", {"tone": ["red", 5]}, r"args\.tone\.1: .*string"),
        ("Sharp", {"flag": "maybe"}, r"args\.flag: .*boolean"),
        ("Sharp", {"radios": 5}, r"args\.radios: .*Did you mean 'radius'"),
        ("sharp", {"radius": "wide"}, r"args\.radius"),
        ("Nameless", {}, r"terms\.a: .*has no 'version'"),
        ("Shy", {}, r"terms\.a: .*has no 'version' \(KeyError: 'no version today'\)\. Give it a text"),
        ("Long", {}, r"terms\.a: .*'version' has 50,000,000 letters, at most 10,000"),
        ("wrong", {}, "makes no scorer: .* lacks score"),
        ("Broken", {}, r"terms\.a: .*cannot be made.*no weights here"),
    ],
)
def test_arguments_are_told_by_name(own: Path, name: str, args: Mapping[str, Any], message: str) -> None:
    registry.allow("own_part")
    registry.look_in(own)
    with pytest.raises(RecipeError, match=message):
        make(f"own_part:{name}", args)


def test_a_name_that_raises_is_told_by_its_part(own: Path) -> None:
    registry.allow("own_part")
    registry.look_in(own)
    for name, told in (("ShyJudge", r"has no 'identity' \(KeyError"), ("Fickle", "no answer today")):
        with pytest.raises(RecipeError, match=rf"judges\.eye: 'own_part:{name}' .*{told}"):
            built("judge", f"own_part:{name}", {}, "judges.eye")
    engine = RewardEngine(load_reward({"terms": {"a": {"scorer": "own_part:Secret", "weight": 1}}}))
    with pytest.raises(RecipeError, match=r"term a: its identity cannot be told .*the model is gone"):
        engine.identities()


def test_arguments_are_taken_as_they_are_meant(own: Path) -> None:
    registry.allow("own_part")
    registry.look_in(own)
    given = {"radius": "5", "tone": ["no", "yes"], "flag": "no"}
    assert make("own_part:Sharp", given).given == (5, "x", ["no", "yes"], False)
    with pytest.raises(SetupError, match="pip install no_such_package_for_it"):
        make("own_part:Needy", {})


SHIPPED: Sequence[tuple[str, str, Mapping[str, Any], str]] = [
    ("scorer", "length", {"max_tokens": "many"}, "max_tokens"),
    ("scorer", "length", {"max_tokens": [1]}, "max_tokens"),
    ("scorer", "palette", {"colours": 5}, "palette"),
    ("scorer", "near_duplicates", {"distance": "far"}, "near_duplicates"),
    ("scorer", "sketch_gate", {"methods": 5}, "methods"),
    ("classifier", "keywords", {"labels": {"a": [1, 2]}}, r"labels.*string"),
    ("classifier", "keywords", {"labels": ["a"]}, "labels"),
    ("classifier", "keywords", {"labels": {True: ["a"]}}, "labels"),
    ("judge", "fake", {"flaws": 5, "x": 1}, "fake"),
    ("judge", "openai", {"model": 7, "base_url": "http://127.0.0.1:1"}, r"model.*quotes"),
    ("judge", "openai", {"model": "m", "side": "large"}, "side"),
    ("judge", "openai", {"model": "m", "concurrency": "many"}, "concurrency"),
    ("judge", "council", {"members": 5}, "members"),
    ("judge", "council", {"members": [{"kind": "os:system"}, {"kind": "fake"}]}, "not allowed"),
    ("judge", "council", {"members": [{"kind": "openai", "model": 3}, {"kind": "fake"}]}, "model"),
    ("medium", "fake", {"size": "large"}, "size"),
    ("medium", "svg", {"workers": "two"}, "workers"),
]


@pytest.mark.parametrize(("kind", "name", "args", "message"), SHIPPED)
def test_shipped_parts_name_the_argument(
    own: Path, kind: Any, name: str, args: Mapping[str, Any], message: str
) -> None:
    def make_it() -> Any:
        if kind == "medium":
            return open_medium(name, **args)
        return build_part(kind, Part.model_validate({"kind": name, **args}), "here")

    with pytest.raises(RecipeError, match=message):
        make_it()
