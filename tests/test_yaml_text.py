"""YAML in bounds, and text where text is meant."""

import cProfile
import math
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from salon.errors import RecipeError
from salon.files import yaml_text
from salon.files.yaml_text import MAX_DEPTH, dumped, parsed
from salon.validation import read_yaml, yaml_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((word, word) for word in ("yes", "no", "on", "off", "Yes", "NO", "On", "OFF", "y", "n")),
        *((word, True) for word in ("true", "True", "TRUE")),
        *((word, False) for word in ("false", "False", "FALSE")),
        *((word, None) for word in ("~", "null", "Null", "NULL", "")),
        ("010", 10), ("-7", -7), ("+7", 7), ("0o17", 15), ("0x1F", 31),
        ("1_000", "1_000"), ("0b11", "0b11"), ("1:30", "1:30"), ("190:20:30", "190:20:30"),
        ("1:30.5", "1:30.5"),
        ("2026-01-02", "2026-01-02"), ("2026-01-02 03:04:05", "2026-01-02 03:04:05"), ("=", "="),
        ("1e3", 1000.0), ("1e-5", 1e-5), ("1.5E+2", 150.0), (".5", 0.5), ("5.", 5.0), ("1.5e3", 1500.0),
        ("685_230.15", "685_230.15"), ("1e", "1e"), ("'no'", "no"), ("NaN", "NaN"), ("inf", "inf"),
    ],
)  # fmt: skip
def test_a_word_is_what_yaml_1_2_says(text: str, value: Any) -> None:
    found = parsed(f"a: {text}", "f")["a"]
    assert found == value
    assert type(found) is type(value)
    assert parsed(f"{text or '~'}: 1", "f") == {value: 1}
    if text:
        first = parsed(f"[{text}, 1]", "f")[0]
        assert first == value
        assert type(first) is type(value)
    assert yaml_value(text, "--set a") == value


@pytest.mark.parametrize("text", [".inf", "-.inf", "+.INF", ".nan", ".NaN", "1e999", "-1e400", "!!float inf"])
def test_a_number_that_is_not_finite_is_refused_by_line(text: str) -> None:
    with pytest.raises(RecipeError, match=r"^f, line 2: .*finite|^f: not valid YAML"):
        parsed(f"b: 1\na: {text}", "f")


@pytest.mark.parametrize("text", ["9" * 30, "1" + "0" * 5000, "0x" + "f" * 20, "-" + "9" * 19])
def test_a_whole_number_that_nothing_can_hold_is_refused(text: str) -> None:
    with pytest.raises(RecipeError, match="line 1: "):
        parsed(f"a: {text}", "f")


BOMB = "\n".join(
    ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
)
MERGES = "\n".join(
    ["a0: &a0 {x: 1}"] + [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 12)]
)


@pytest.mark.parametrize("text", [BOMB, MERGES], ids=["aliases", "merges"])
def test_a_bomb_of_aliases_takes_no_memory(tmp_path: Path, text: str) -> None:
    """In a process that may have 400 MB: the bomb is worth gigabytes."""
    (tmp_path / "bomb.yaml").write_text(text)
    code = (
        "import sys\nfrom salon.errors import RecipeError\nfrom salon.validation import read_yaml\n"
        f"try: read_yaml({str(tmp_path / 'bomb.yaml')!r})\nexcept RecipeError as error: print(error)"
    )
    limit = 400_000_000
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )  # fmt: skip
    assert "bomb.yaml, line" in done.stdout, done.stderr
    assert "aliases written out" in done.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: &a [*a]", "f, line 1: an alias stands inside of what it names"),
        ("a: " + "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "f, line 1: more than 60"),
        ("a: " + "[" * 50_000, "f, line 1: more than 60"),
        ("- " * 5000 + "x", "more than 60"),
        ("a: 1\n\tb: 2", "not valid YAML: line 2.*spaces, not with tabs"),
        ("a: *nope", "undefined alias 'nope'"),
        ("a: !!python/object/apply:os.system [ls]", "Tags .* are not read"),
        ("a: !!binary aGk=", "Tags .* are not read"),
        ("a: !!set {x, y}", "Tags .* are not read"),
        ("a: 1\n---\nb: 2", "single document"),
        ("? [a, b]\n: 1", "line 1: a list or a mapping is no key"),
        ("yes: 1\n'yes': 2", "line 2: 'yes' is written twice"),
        ("a: {b: 1, c: 2, b: 3}", "line 1: 'b' is written twice"),
        ("a: !!bool maybe", "neither true nor false"),
        ("a: \x07", "not valid YAML"),
        ("a: b: c", "not valid YAML: line 1"),
    ],
)
def test_what_is_refused_is_refused_by_line(text: str, message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        parsed(text, "f")


def test_a_message_does_not_quote_the_line(tmp_path: Path) -> None:
    (tmp_path / "f.yaml").write_text("judges: {api_key: sk-abcdefghijklmnopqrstuv: x}\n")
    with pytest.raises(RecipeError) as raised:
        read_yaml(tmp_path / "f.yaml")
    assert "sk-abc" not in str(raised.value)
    assert "line 1" in str(raised.value)


def test_a_file_of_10_mb_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "f.yaml").open("wb") as file:
        file.truncate(10_000_000)
    with pytest.raises(RecipeError, match=r"f\.yaml: .*at most"):
        read_yaml(tmp_path / "f.yaml")


@pytest.mark.parametrize("text", ["- a\n", "[1]: 1\n", "- {a: 1}\n", "- [a, b]\n"])
def test_values_are_counted_while_they_are_read(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of a file that has too many is not even parsed: an error at its end is not come to."""
    monkeypatch.setattr(yaml_text, "MAX_NODES", 50)
    with pytest.raises(RecipeError, match=r"line \d+: more than"):
        parsed(text * 60 + "\t: [", "f")
    assert parsed("- a\n" * 49, "f") == ["a"] * 49


def test_an_alias_is_a_copy() -> None:
    found = parsed("a: &x {n: [1]}\nb: *x\nc: {<<: *x, m: 2}", "f")
    found["a"]["n"].append(2)
    assert found["b"] == {"n": [1]}
    assert found["c"] == {"n": [1], "m": 2}


TRAPS = [
    *("yes", "no", "on", "off", "010", "0o17", "1e5", "1e-5", "1_000", "1:30", "2026-01-02", "~", "null"),
    *("true", "0x1f", ".5", "5.", ".inf", ".nan", "<<", "=", "", " a", "a: b", "*a", "&a", "!a", "#a", "- a"),
    *("\u2028", "é"),
]


@pytest.mark.parametrize("text", TRAPS)
def test_what_is_written_reads_back_here_and_elsewhere(text: str) -> None:
    value = {"k": text, text: "v", "l": [text]}
    assert parsed(dumped(value), "f") == value
    assert yaml.safe_load(dumped(value)) == value
    assert parsed(dumped(value, default_flow_style=True), "f") == value


def test_numbers_are_written_so_that_they_read_back() -> None:
    value = {"a": [1, -2, 0.1, 1e-5, 1e300, 123456789.5, True, False, None]}
    assert parsed(dumped(value), "f") == value
    assert not math.isnan(parsed(dumped(value), "f")["a"][2])


LARGE = "\n".join(
    f"- {{id: p{n}, text: 'a rose, no. {n}', weight: 0.5, many: [1, no, ~]}}" for n in range(200)
)


def calls(text: str) -> int:
    """Calls of functions that reading a text takes, which do not depend on the machine."""
    profile = cProfile.Profile()
    profile.runcall(parsed, text, "f")
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML was built without libyaml")
def test_a_value_takes_few_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyYAML's own parser took 7 s for the 100,000 values that a file may have."""
    fast = calls(LARGE)
    monkeypatch.setattr(yaml_text, "_FAST", yaml_text._Loader)
    assert fast < calls(LARGE) / 3


def test_without_libyaml_the_slow_parser_reads_all(monkeypatch: pytest.MonkeyPatch) -> None:
    found = parsed(LARGE, "f")
    monkeypatch.setitem(sys.modules, "yaml.cyaml", None)
    monkeypatch.setattr(yaml_text, "_FAST", yaml_text._fast_loader())
    assert yaml_text._FAST is yaml_text._Loader
    assert parsed(LARGE, "f") == found


SHIPPED = [*(Path(__file__).parents[1] / "recipes").rglob("*.yaml")]
TEXTS = {
    **{file.name: file.read_text() for file in SHIPPED},
    "aliases": "a: &x {b: [1, 2]}\nc: *x\nd: {<<: *x, e: 1}",
    "texts": "a: |\n  b\n  c\nd: >-\n  e\n  f\n? g\n: \"h\\n\u00e9\"\ni: 'it''s'  # no\nj: !!str 1",
    "a tab": "a: b\n\tc",
    "a tab in a text": "a: 'b\tc'",
    "a tab before a value": "a:\tb",
    "no value": "",
    "a comment": "# a",
    "no end": "a: [1, 2",
    "two keys in a line": "a: 1\nb: c: d",
    "a key twice": "a: 1\nb: 2\na: 3",
    "too deep": "[" * 99_000,
    "no alias": "a: *b",
    "a sign that nobody sees": "a: b\x07",
}


@pytest.mark.parametrize("name", TEXTS)
def test_both_parsers_say_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def said() -> Any:
        try:
            return parsed(TEXTS[name], "f")
        except RecipeError as error:
            return str(error)

    fast = said()
    monkeypatch.setattr(yaml_text, "_FAST", yaml_text._Loader)
    assert fast == said()
    assert TEXTS[name] == "" or name in ("a comment", "no value") or fast


def test_a_long_text_that_is_no_yaml_is_told_by_line() -> None:
    """And is not parsed once more, which takes as long again."""
    text = (LARGE + "\n") * 12 + "b: [1,\nc: d: e"
    assert len(text) > yaml_text.MAX_TOLD
    with pytest.raises(RecipeError, match=r"^f: not valid YAML: line 24\d\d, column \d+: "):
        parsed(text, "f")
    with pytest.raises(RecipeError, match=r"line 1, .*more than 60 lists and mappings"):
        parsed("[" * 500_000, "f")
