# ruff: noqa: E501
"""Fuzzers: hostile texts and files, from a seed, for whatever reads what a model, a server or a stranger wrote.

    python tests/fuzzing.py [--seed 1] [--seconds 60] [--only TARGET]

What is read gives a value, a Failure or a SalonError: never another exception, nothing that JSON cannot hold,
no half characters, and no text for which a share of the processor's time is not enough. Each target runs in a
process of its own; what broke it is printed with the seed, and stays in a file.
"""

import argparse
import dataclasses
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import fuzzed_files
import fuzzed_paintings
import fuzzed_servers
from hostile import ANSWERS, MARKUP, PAIRS, REPLIES, SCRIPT, with_value

SECONDS_EACH = 20
"""Of the processor, for one text."""

SKETCH = "function setup() {\n  createCanvas(60, 60, WEBGL);\n  brush.fill('#c33', 90);\n  brush.circle(1, 2, 9);\n}\n"
SVG = '<svg viewBox="0 0 9 9"><style>.a{fill:red}</style><g transform="scale(2)"><path class="a" d="M0 0A1 1 0 013 4"/></g></svg>'
RECIPE = "terms:\n  gate: {scorer: length, role: gate, weight: 0.1, args: {max_tokens: 9}}\n  a: {scorer: palette, weight: 1.0}\n"
ANSWER = '<think>a</think>{"winner": "A", "answer": "yes", "reason": "b", "scores": {"colour": 3}}\n**Summary:** c\n1. Colour: 3.5/4'
FORMS = (
    '{"label": "strict"}',
    '{"supports": false, "critique": "it is red"}',
    '{"criteria": ["Shows a rose.", "Keeps the paper white."]}',
    '{"themes": [{"name": "Colour", "level": "coarse", "tips": ["The red is deep.", "Few hues."]}]}',
    '{"questions": [{"id": "1", "ask": "Is there a rose?"}, {"id": "2", "ask": "Is it red?", "needs": ["1"]}]}',
    '{"critique": "flat", "scores": {"colour": 3, "form": null}, "request": "bolder"}',
    "**Physical Quality:**\nJustification: ok\nScore: 3/4\n**Summary:** fine",
)
FORM_PIECES = (
    '"needs": ["2"]',
    '"id": 1,',
    "true",
    '{"label": "open"}',
    "\\ud800",
    "1e999",
    "NaN",
    '"scores":',
    "6",
)
TABLE = "step,prompt_id,sample_id,colour,form\n0,a,1,0.5,8/10\n0,a,2,0.25,7/10\n1,b,3,,83%\n"
LINES = '{"step": 0, "prompt_id": "a", "scores": {"colour": 0.5}}\n{"step": 1, "prompt_id": "b", "colour": null}\n'
ENTRY = '{"key": "aa", "picture": null, "failure": {"code": "threw", "message": "", "fault": "sample", "stage": ""}, "seconds": 0, "calls": null}\n'


def read_reply(text: str, folder: Path) -> Any:
    from salon.media.extract_source import extract_sketch, extract_svg

    return [extract_sketch(text), extract_svg(text)]


def read_sketch(text: str, folder: Path) -> Any:
    from salon.media.p5.checks.source_check import check_sketch, is_plain, uses_brush

    return [check_sketch(text), check_sketch(text, "watercolour", 900), uses_brush(text), is_plain(text)]


def read_svg(text: str, folder: Path) -> Any:
    from salon.media.svg.source_check import sanitize

    return [sanitize(text, (64, 64)), sanitize(text, (64, 64), ["Aileron"])]


def read_recipe(text: str, folder: Path) -> Any:
    from salon.rewards.recipe import load_reward

    file = folder / "recipe.yaml"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    return load_reward(str(file)).model_dump(mode="json")


def read_answer(text: str, folder: Path) -> Any:
    from salon.judges.vlm import answers, rational_form, verdicts
    from salon.llm.completion import Completion

    read: list[Callable[[], Any]] = [
        lambda: verdicts.verdict_of(Completion(text)),
        lambda: answers.parse_answer(text),
        lambda: answers.parse_answers(text, [1, 2]),
        lambda: answers.parse_critique(text, ["colour"], 0, 10),
        lambda: rational_form.parse_pointwise(text),
        lambda: rational_form.parse_pairwise(text),
    ]
    return [attempted(one) for one in read]


def read_forms(text: str, folder: Path) -> Any:
    """By whatever reads what an author of rubrics wrote, and a judge's scores by aspect."""
    from salon.judges.vlm import answers, rational_form
    from salon.rubrics import classify, decompose
    from salon.rubrics.generation import arr, structure, verify
    from salon.rubrics.replies import read_form

    recipe = decompose.DecomposeRecipe.model_construct(about="presence", questions=4, depth=2)
    read: list[Callable[[], Any]] = [
        lambda: read_form(text, classify._Label).model_dump(mode="json"),
        lambda: read_form(text, verify._Support).model_dump(mode="json"),
        lambda: read_form(text, arr._Written).model_dump(mode="json"),
        lambda: structure._read(text, 4, 2).model_dump(mode="json"),
        lambda: [item.model_dump(mode="json") for item in decompose._read(text, "a rose", recipe)],
        lambda: answers.parse_critique(text, ["colour", "form"], 1, 5),
        lambda: answers.parse_answers(text, [1]),
        lambda: rational_form.parse_pointwise(text, "edit"),
        lambda: rational_form.parse_pairwise(text, "edit"),
    ]
    return [attempted(one) for one in read]


def read_table(text: str, folder: Path, name: str = "scores.csv") -> Any:
    from salon.diagnosis.reading.open_table import read_table as read

    file = folder / name
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    return str(read(str(file)))[:1000].encode("utf-8", "replace").decode()


def read_lines(text: str, folder: Path) -> Any:
    return read_table(text, folder, "scores.jsonl")


def read_entry(text: str, folder: Path) -> Any:
    from salon.media.render_cache import _read

    file = folder / "aa"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    return _read(file)


def read_body(text: str, folder: Path) -> Any:
    from salon.files.untrusted import parse_json

    try:
        found = parse_json(text)
    except ValueError:
        return None
    # Halves of surrogate pairs are for whoever asked for the body: as JSON may have them.
    return json.dumps(found)


@dataclasses.dataclass(frozen=True, slots=True)
class Target:
    """What reads, and what it is given.

    read: takes a text and an empty folder. draw: makes a text. slice: how many of them CI reads.
    is_limited: whether a text has its share of the processor's time; a browser would inherit it for good.
    """

    read: Callable[[str, Path], Any]
    draw: Callable[[random.Random], str]
    slice: int = 40
    is_limited: bool = True


def mutating(read: Callable[[str, Path], Any], fragments: Sequence[str], *wholes: str) -> Target:
    return Target(read, lambda rng: mutated(rng, fragments, rng.choice(wholes)))


def draw_form(rng: random.Random) -> str:
    """A form that is spoilt as text, or well-formed with values that were not asked for."""
    form = rng.choice(FORMS)
    if form.startswith("{") and rng.random() < 0.6:
        return json.dumps(with_value(json.loads(form), rng))
    return mutated(rng, (*ANSWERS, *REPLIES, *FORM_PIECES), form)


TARGETS: dict[str, Target] = {
    "replies": mutating(read_reply, REPLIES + MARKUP + SCRIPT, f"Here:\n```js\n{SKETCH}```\n<svg></svg>"),
    "sketches": mutating(read_sketch, SCRIPT, SKETCH),
    "svgs": mutating(read_svg, MARKUP, SVG),
    "recipes": mutating(
        read_recipe,
        (*ANSWERS, *("&a ", "*a", "!!", ": ", "- ", "yes", "|", ".inf", "${X}")),
        RECIPE,
    ),
    "answers": mutating(read_answer, ANSWERS + REPLIES, ANSWER),
    "forms": Target(read_forms, draw_form),
    "tables": mutating(read_table, (*ANSWERS, *(",", ";", "\r", '"', "%", "1e999")), TABLE),
    "lines": mutating(read_lines, (*ANSWERS, "\\ud800", "1e999", "NaN"), LINES),
    "entries": mutating(read_entry, ANSWERS, ENTRY),
    "bodies": mutating(read_body, (*ANSWERS, "\\ud800", "1e999", "NaN"), ENTRY),
    "parquet": Target(fuzzed_files.read_parquet, fuzzed_files.draw_parquet),
    "runs": Target(fuzzed_files.read_folder, fuzzed_files.draw_folder, slice=5),
    "requests": Target(fuzzed_servers.read_request, fuzzed_servers.draw_request),
    "paintings": Target(
        fuzzed_paintings.read_painting, fuzzed_paintings.draw_painting, slice=4, is_limited=False
    ),
}


def attempted(read: Callable[[], Any]) -> Any:
    """What is read, or the message of what salon raises on purpose."""
    from salon.errors import SalonError

    try:
        return read()
    except SalonError as error:
        return str(error)


def mutated(rng: random.Random, fragments: Sequence[str], whole: str) -> str:
    """A whole text with pieces put in, taken out, doubled, or nested; or pieces alone."""
    text = whole if rng.random() < 0.7 else ""
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(text) + 1)
        piece = rng.choice(fragments) * rng.choice((1, 1, 1, 2, 30, 3000))
        match rng.randrange(6):
            case 0:
                opening, closing = rng.choice(PAIRS)
                count = rng.choice((1, 5, 400))
                text = text[:at] + opening * count + closing * count + text[at:]
            case 1:
                text = text[:at] + text[at + rng.randrange(40) :]
            case 2:
                text = text[:at] + text[max(0, at - 30) : at] + text[at:]
            case 3:
                text = (
                    text[:at] + chr(rng.choice((0, 7, 27, 0x85, 0x202E, 0xD800, 0xFEFF, 0x1F600))) + text[at:]
                )
            case _:
                text = text[:at] + piece + text[at:]
    return text


def must_be_plain(value: Any) -> None:
    """Raises TypeError, ValueError or UnicodeEncodeError for what JSON or UTF-8 cannot hold."""

    def known(part: Any) -> Any:
        if dataclasses.is_dataclass(part) and not isinstance(part, type):
            return {field.name: getattr(part, field.name) for field in dataclasses.fields(part)}
        if isinstance(part, bytes):
            return len(part)
        raise TypeError(f"{type(part).__name__} is no value of JSON")

    json.dumps(value, default=known, allow_nan=False, ensure_ascii=False).encode()


def fuzz(name: str, seed: int, seconds: float, texts: int) -> int:
    """Run one target in this process, until its time or its number of texts is up. How many were read."""
    target = TARGETS[name]
    rng, started = random.Random(f"{name} {seed}"), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for count in range(texts):
            if time.monotonic() - started > seconds:
                return count
            text = target.draw(rng)
            Path(sys.argv[-1]).write_bytes(text.encode("utf-8", "surrogatepass"))
            if target.is_limited:
                used = int(time.process_time())
                resource.setrlimit(resource.RLIMIT_CPU, (used + SECONDS_EACH, resource.RLIM_INFINITY))
            must_be_plain(attempted(lambda text=text: target.read(text, Path(folder))))
    return texts


def run(name: str, seed: int, seconds: float, texts: int, found: Path) -> str:
    """Run one target in a child process; "" when nothing broke it, or else what did."""
    command = [sys.executable, __file__, "--child", name, "--seed", str(seed), "--seconds", str(seconds)]
    command += ["--texts", str(texts), "--found", str(found)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 600, errors="replace")
    if done.returncode == 0:
        found.unlink(missing_ok=True)
        return ""
    shown = ascii(found.read_bytes()[:300].decode("utf-8", "replace")) if found.exists() else "nothing"
    return f"{name}: seed {seed}, exit code {done.returncode}, {found}: {shown}\n{done.stderr[-1500:]}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Feed hostile texts to whatever reads them.")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--seconds", type=float, default=60.0, help="for each target")
    parser.add_argument("--texts", type=int, default=10**9)
    parser.add_argument("--only", choices=TARGETS)
    parser.add_argument("--child", choices=TARGETS)
    parser.add_argument("--found", default="")
    options = parser.parse_args()
    if options.child:
        fuzz(options.child, options.seed, options.seconds, options.texts)
        return 0
    print(f"seed {options.seed}", flush=True)
    broken = 0
    for name in [options.only] if options.only else TARGETS:
        told = run(
            name, options.seed, options.seconds, options.texts, Path(f"fuzz-{name}-{options.seed}.txt")
        )
        broken += bool(told)
        print(told or f"{name}: fine", flush=True)
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
