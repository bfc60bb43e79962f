"""salon as a wheel installs it, in an environment of its own: it works from an empty folder, and nothing of
the checkout is read.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = Path(sysconfig.get_path("purelib"))
SKETCH = """
function setup() {
  createCanvas(200, 200, WEBGL);
  background('#fdfaf3');
  brush.noStroke();
  brush.fill('#d9603f', 190);
  brush.circle(0, 0, 50);
  noLoop();
}
"""
WATCH = """
import os, sys
def _note(event, args):
    if event == "open" and isinstance(args[0], str):
        file = os.path.realpath(args[0])
        if file.startswith({root!r} + os.sep) and not file.startswith({packages!r}):
            with open({log!r}, "a") as log:
                log.write(file + chr(10))
sys.addaudithook(_note)
"""
"""What each Python process of the new environment does first: it notes the files of the checkout it opens."""


def wheel_in(folder: Path) -> Path:
    """The wheel, built by hatchling; without it in this environment pip fetches it."""
    here = ["--no-build-isolation"] if find_spec("hatchling") else []
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        *here,
        "-w",
        str(folder),
        str(ROOT),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250, check=False)
    assert done.returncode == 0, done.stderr
    [wheel] = folder.glob("salon-*.whl")
    return wheel


class Installed:
    """A new environment with the wheel in it, this one's packages behind it, and an empty folder."""

    def __init__(self, home: Path) -> None:
        self.wheel = wheel_in(home / "wheel")
        self.work, self.log, self.bin = home / "work", home / "opened.txt", home / "env" / "bin"
        self.work.mkdir()
        venv.create(home / "env", with_pip=False)
        python = str(self.bin / "python")
        pip = [
            sys.executable,
            "-m",
            "pip",
            "--python",
            python,
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
        ]
        subprocess.run([*pip, str(self.wheel)], check=True, timeout=250)
        self.site = next((home / "env").rglob("site-packages"))
        # A path file in a folder that a path file names is not read: no editable salon comes with it.
        (self.site / "behind.pth").write_text(f"import watch_opens\n{PACKAGES}\n")
        names = {"root": str(ROOT), "packages": str(PACKAGES.resolve()), "log": str(self.log)}
        (self.site / "watch_opens.py").write_text(WATCH.format(**names))
        self.variables = {
            "PATH": os.environ["PATH"],
            "HOME": str(home / "home"),
            "XDG_DATA_HOME": str(home / "share"),
            "XDG_CACHE_HOME": str(home / "cache"),
            "OMP_NUM_THREADS": "1",
        }

    def run(self, *command: str) -> str:
        """What a program of the environment prints; it must end well, and open nothing of the checkout."""
        done = subprocess.run(
            [str(self.bin / command[0]), *command[1:]],
            cwd=self.work, env=self.variables, capture_output=True, text=True, timeout=280, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        assert not self.log.exists(), self.log.read_text()
        return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("installed"))


def test_the_wheel_has_every_file_of_the_package_and_the_recipes(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as packed:
        inside = set(packed.namelist())
    files = [path for path in (ROOT / "src").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    wanted = {path.relative_to(ROOT / "src").as_posix() for path in files}
    wanted |= {f"salon/data/{path.relative_to(ROOT).as_posix()}" for path in ROOT.glob("recipes/**/*.yaml")}
    assert wanted <= inside, sorted(wanted - inside)
    assert not [name for name in inside if name.startswith(("tests", "recipes", "docs"))]


def test_it_is_not_the_checkout_that_runs(installed: Installed) -> None:
    code = "import salon, salon.cli; from salon.installed import checkout; print(salon.__file__, checkout())"
    file, checkout = installed.run("python", "-c", code).split()
    assert Path(file) == installed.site / "salon" / "__init__.py"
    assert checkout == "None"


def test_a_file_of_the_checkout_would_be_noticed(installed: Installed) -> None:
    with pytest.raises(AssertionError, match="pyproject"):
        installed.run("python", "-c", f"open({str(ROOT / 'pyproject.toml')!r})")
    installed.log.unlink()


def test_recipes_go_by_their_names(installed: Installed) -> None:
    assert "hibiscus-cpu" in installed.run("salon", "recipe", "list")
    told = installed.run("python", "-m", "salon", "recipe", "copy", "hibiscus-cpu", "own")
    assert told.split() == ["wrote", "own/hibiscus-cpu.yaml", "wrote", "own/paint.yaml"]
    read = "import salon; from salon.recipe import load_run_recipe as load; a = load('hibiscus-cpu');"
    code = f"{read} b = load('own/hibiscus-cpu.yaml'); print(a == b, salon.load_reward('paint') == a.reward)"
    assert installed.run("python", "-c", code) == "True True\n"
    assert (
        installed.run(
            "python", "-c", "from salon.studies.plan import load_plan as l; l('reproduce/old-vs-new')"
        )
        == ""
    )


def test_scores_are_diagnosed(installed: Installed) -> None:
    rows = [f"p{n // 4},{(n * 7 % 10) / 10},0.5" for n in range(80)]
    (installed.work / "scores.csv").write_text("\n".join(["prompt,taste,length", *rows]))
    command = ("diagnose", "scores.csv", "--weights", "taste=0.5,length=0.5", "--json", "-")
    found = json.loads(installed.run("salon", *command))
    assert "saturated" in {each["kind"] for each in found["findings"]}
    assert (found["rows"], found["groups"]) == (80, 20)


def test_pictures_are_judged_and_scored(installed: Installed) -> None:
    for name, colour in (("a", "tomato"), ("b", "white")):
        Image.new("RGB", (64, 64), colour).save(installed.work / f"{name}.png")
    found = json.loads(installed.run("salon", "judge", "compare", "a.png", "b.png", "--json"))
    assert found["winner"] in ("a", "b", "tie")
    (installed.work / "a.svg").write_text(
        '<svg viewBox="0 0 9 9"><circle cx="4" cy="4" r="3" fill="red"/></svg>'
    )
    installed.run("salon", "score", "reproduce/held-out", "a.png", "a.svg", "-o", "s.csv")
    assert len((installed.work / "s.csv").read_text().splitlines()) == 3


@pytest.fixture(scope="module")
def with_libraries(installed: Installed) -> Installed:
    """As after `salon setup`: the drawing libraries in the user's folder."""
    for name in ("p5", "p5.brush"):
        folder = Path(installed.variables["XDG_DATA_HOME"]) / "salon" / "node_modules" / name
        shutil.copytree(ROOT / "node_modules" / name, folder)
    return installed


@pytest.mark.browser
def test_a_sketch_is_rendered(with_libraries: Installed) -> None:
    (with_libraries.work / "sketch.js").write_text(SKETCH)
    assert "200 × 200" in with_libraries.run("salon", "render", "sketch.js", "-o", "sketch.png")
    with Image.open(with_libraries.work / "sketch.png") as picture:
        assert len(set(picture.convert("RGB").tobytes())) > 10


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.torch
def test_the_painter_is_trained_for_two_steps(with_libraries: Installed) -> None:
    small = ("train.steps=2", "train.prompts_per_step=1", "train.group_size=4", "train.num_iterations=1")
    settings = [f"--set={each}" for each in (*small, "evaluate.pairs=2", "medium.args.workers=1")]
    told = with_libraries.run("salon", "train", "hibiscus-cpu", *settings)
    assert "report: runs/hibiscus-cpu/report.html" in told
    assert (with_libraries.work / "runs" / "hibiscus-cpu" / "policy").is_dir()
    page = (with_libraries.work / "runs" / "hibiscus-cpu" / "report.html").read_text()
    assert str(ROOT) not in page
