"""Recipes of strangers: each file is refused with its name, at once, and nothing of it runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from salon.errors import RecipeError
from salon.recipe import load_run_recipe
from salon.rewards.engine import RewardEngine
from salon.rewards.recipe import load_reward
from salon.rubrics.generation.recipe import load_rubric_recipe

TERM = "terms: {a: {scorer: length, weight: 1, args: {max_tokens: 9}}}"
FILES: dict[str, bytes] = {
    "aliases": b"a: &a [1,1,1,1,1,1,1,1,1]\n"
    + b"".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [{','.join([f'*{chr(97 + n)}'] * 9)}]\n".encode() for n in range(9)
    ),
    "under args": b"terms: {a: {scorer: length, weight: 1, args: &a {max_tokens: [*a]}}}",
    "merge of itself": b"terms: &a {<<: *a}",
    "merge of a list of text": b"terms: {<<: [a, b]}",
    "deep": b"terms: " + b"[" * 5000,
    "wide": b"terms: [" + b"1," * 200_000 + b"]",
    "10 MB": TERM.encode() + b"\n#" + b"x" * 10_000_000,
    "a key twice": f"{TERM}\n{TERM}".encode(),
    "a term twice": b"terms: {a: {scorer: length, weight: 1}, a: {scorer: length, weight: 2}}",
    "tabs": b"terms:\n\ta: {scorer: length, weight: 1}",
    "Latin-1": "terms: {a: {scorer: length, weight: 1, when: \"'é' in prompt.text\"}}".encode("latin-1"),
    "UTF-16": TERM.encode("utf-16"),
    "NUL": b"terms: \x00",
    "no mapping": b"- 1\n- 2",
    "empty": b"",
    "text": b"rm -rf /",
    "python": b"terms: !!python/object/apply:os.system [id]",
    "python name": b"terms: {a: {scorer: !!python/name:os.system , weight: 1}}",
    "two documents": f"{TERM}\n---\n{TERM}".encode(),
    "inf": TERM.replace("weight: 1", "weight: .inf").encode(),
    "nan": TERM.replace("weight: 1", "weight: .nan").encode(),
    "1e999": TERM.replace("weight: 1", "weight: 1e999").encode(),
    "inf in args": TERM.replace("9}", "-.inf}").encode(),
    "a huge number": TERM.replace("9}", "9" * 5000 + "}").encode(),
    "a key": TERM.replace("9}", "9, api_key: word}").encode(),
    "a weight of text": TERM.replace("weight: 1", "weight: heavy").encode(),
    "a weight of no": TERM.replace("weight: 1", "weight: [no]").encode(),
    "a list for a term": b"terms: {a: [1]}",
    "null for terms": b"terms: ~",
    "a term without a name": b"terms: {'': {scorer: length, weight: 1}}",
    "a number for a name": b"terms: {1: {scorer: length, weight: 1}}",
    "an unknown key": TERM.replace("weight", "wieght").encode(),
    "a scorer of a list": TERM.replace("length", "[length]").encode(),
    "code in a condition": TERM.replace("weight: 1", "weight: 1, when: \"open('x')\"").encode(),
}
PARTS = {
    "os": TERM.replace("length", "'os:system'"),
    "a module of salon": TERM.replace("length", "'salon.environment.setup:run'"),
    "arguments of another kind": TERM.replace("9}", "[9]}"),
    "arguments that are not there": TERM.replace("max_tokens", "tokens"),
    "a variable that holds a key": TERM.replace("9}", '"${AWS_SECRET_ACCESS_KEY}"}'),
}


@pytest.mark.parametrize("name", FILES)
def test_it_is_refused_by_its_file(name: str, tmp_path: Path) -> None:
    file = tmp_path / "stranger.yaml"
    file.write_bytes(FILES[name])
    for read in (load_reward, load_run_recipe, load_rubric_recipe):
        with pytest.raises(RecipeError, match=r"stranger\.yaml") as raised:
            read(file)
        assert len(str(raised.value)) < 3000


@pytest.mark.parametrize("name", PARTS)
def test_what_it_would_run_is_refused_by_its_key(name: str, tmp_path: Path) -> None:
    file = tmp_path / "stranger.yaml"
    file.write_text(PARTS[name])
    recipe = load_reward(file)
    with pytest.raises(RecipeError, match=r"os:system|salon\.environment\.setup|reward\.terms\.a\.args"):
        RewardEngine(recipe)


@pytest.mark.parametrize("kind", ["/dev/zero", "pipe"])
def test_no_device_or_pipe_is_read_as_a_file(tmp_path: Path, kind: str) -> None:
    """In a child process, which would wait without an end, or fill the memory."""
    place = Path(kind)
    if kind == "pipe":
        place = tmp_path / "pipe"
        os.mkfifo(place)
    code = """
import sys
from salon import validation
from salon.errors import RecipeError, StageError
from salon.judges.source_image import picture_before
from salon.types import Prompt
place = sys.argv[1]
for read in (
    validation.read_bytes,
    validation.read_yaml,
    lambda path: picture_before(Prompt("a", "a", meta={"source": path})),
):
    try:
        read(place)
    except (RecipeError, StageError) as error:
        assert "a file is wanted there" in str(error), error
    else:
        raise SystemExit("it was read")
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(place)], timeout=60, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-500:]


def test_variables_without_an_end_are_read_in_one_pass() -> None:
    code = """
from salon.secrets.literal_keys import literal_keys
from salon.variables import expand_env
for text in ("${a:-" * 400_000, "${a" * 400_000, "${a:-$" * 400_000, "${" + "a" * 2_000_000):
    assert not list(literal_keys({"x": text}))
    assert expand_env(text, "x") == text
"""
    subprocess.run([sys.executable, "-c", code], timeout=60, check=True)
