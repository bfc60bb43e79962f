"""Gives scanners texts on which a careless one works for the square of their length. Run as a child process:
`scaling.py NAME SIZE`. It is ended at the first text that takes more than its share of the processor's time,
whatever else the machine does, and has told which one that is.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from hostile import MARKUP, REPLIES, SCRIPT, repeated

SECONDS_EACH = 3
"""Of the processor, for one text; a linear scanner takes less than one."""

SETUP = "function setup() { createCanvas(9, 9, WEBGL); brush.circle(1, 1, 1);\n"


Texts = Iterator[tuple[Callable[[str], object], str]]


def sketches(size: int) -> Texts:
    from salon.media.p5.checks.source_check import check_sketch, uses_brush

    def read(source: str) -> object:
        return check_sketch(source, "watercolour"), uses_brush(source)

    for index, text in enumerate(repeated(SCRIPT, size)):
        around = (text, f"{SETUP}{text}}}", f"{SETUP}a={text}", f"{SETUP}a='{text}'}}")
        yield read, around[index % len(around)]


def replies(size: int) -> Texts:
    from salon.media.extract_source import extract_sketch, extract_svg

    for index, text in enumerate(repeated(SCRIPT + MARKUP + REPLIES, size)):
        around = (text, f"```js\n{text}", f"so:\n{text}\nbrush.x", f"<svg {text}")
        yield (extract_svg if index % len(around) == 3 else extract_sketch), around[index % len(around)]


def svgs(size: int) -> Texts:
    from salon.media.svg.source_check import sanitize

    def read(source: str) -> object:
        return sanitize(source, (64, 64), ["Aileron"])

    for index, text in enumerate(repeated(MARKUP, size)):
        safe = text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
        around = (
            text,
            f"<svg>{text}</svg>",
            f"<svg {text}><rect/></svg>",
            f"<svg><style>{safe}</style><rect/></svg>",
            f'<svg><path d="M0 0L999 0{safe}"/></svg>',
            f'<svg><path d="M0 0L999 0A{safe}"/></svg>',
            f'<svg><rect x="999" fill="{safe}"/></svg>',
            f'<svg><rect x="999" style="{safe}"/></svg>',
            f'<svg viewBox="{safe}" width="{safe}"><rect transform="{safe}" x="{safe}999"/></svg>',
            f'<svg><polygon points="{safe}"/><text font-family="{safe}">a</text></svg>',
        )
        yield read, around[index % len(around)]
        yield read, around[(index * 7 + 3) % len(around)]


def answers(size: int) -> Texts:
    """Of judges and of authors, to servers of judges, prompts, and files of batches."""
    from salon.diagnosis.reading.batch_results import rows_of_batch
    from salon.errors import SalonError
    from salon.judges.vlm.rational_form import TITLES, parse_pointwise
    from salon.llm.reasoning import takes_back, verdicts_in, winners_named
    from salon.llm.thinking import without_thinking
    from salon.scorers.text.wanted_text import wanted_in
    from salon.serving.judge_instructions import criteria_in

    def rated(line: str) -> object:
        titles = enumerate(TITLES["t2i"].values(), 1)
        try:
            return parse_pointwise("\n".join(f"{at}. {title}\n## Score: {line}" for at, title in titles))
        except SalonError as error:
            return error

    def batch(name: str) -> object:
        body = {"choices": [{"message": {"content": '{"taste": 3}'}}]}
        rows = [
            {"custom_id": f"{name}{at}", "response": {"status_code": 200, "body": body}} for at in range(30)
        ]
        return rows_of_batch(rows, "batch")

    for part in ("*", " ", "- ", "1", "a", "3 ", ": ", "(", "/4", "[*"):
        for head, tail in (("3", "x1"), ("n/a - ", "1"), ("3/4", "1"), ("3 ", "1 1")):
            yield rated, f"{head}{part * (12_000 // len(part))}{tail}"
            yield rated, f"{head}{part * (290 // len(part))}{tail}"
    for part in (
        *(f"{head}\n" for head in ("Compare the two pictures by these criteria:", "These are the criteria:")),
        "Write a critique of the picture first:",
        "{",
        "{{}",
        "picture a ",
        "which of these ",
        "say json ",
    ):
        yield lambda text: criteria_in(text, []), part * (5 * size // len(part))
        yield lambda text: criteria_in("", [text]), part * (49_000 // len(part))
    yield lambda text: criteria_in(text, []), "{" * 24_000 + "}" * 24_000
    for head in ("<|channel|>final<|constrain|>", "<|channel|>final", "<|channel|>", "<think"):
        for part in (" ", "a", "a ", head):
            yield without_thinking, head + part * (4 * size // len(part))
    for part in (
        "final ",
        "the final answer: ",
        "final: **",
        "\n# final",
        "\n Reasoning",
        "\n1. my my ",
        "\nno ",
        "\n**",
    ):
        for find in (winners_named, takes_back, lambda text: verdicts_in(text, [({}, len(text), len(text))])):
            yield find, part * (size // len(part))
    for part in (
        "‘a",
        "“a",
        "„a",
        "«a",
        "»a",
        "‹a",
        "›a",
        "「a",
        "『a",
        "'a ",
        '"a\n',
        "’a",
        "SAYS ",
        "says ",
    ):
        yield wanted_in, part * (size // len(part))
    for part in ("a", "a1", "a ", "1a", "-a", "a=", ":1"):
        yield batch, part * (size // 5 // len(part))


def keys(size: int) -> Texts:
    """What may show a key: every text that is kept, and a recipe's."""
    from salon.secrets.key_forms import without_forms
    from salon.secrets.literal_keys import literal_keys
    from salon.secrets.redaction import hide

    def find(text: str) -> object:
        return list(literal_keys({"note": text, "list": [text, text]}))

    secrets = frozenset({"sk-proj-Zq7+/xu9zzQQ77rstuvWxyz012345", "x" * 40, "sk-" * 15, "*-" * 20, "!" * 9})
    parts = (
        *(
            "sk-proj-",
            "sk-proj-**",
            "**2345",
            "sk-pr*",
            "sk-proj-Zq7xu9",
            "sk-proj-Zq7+/xu9zzQQ ",
            "s.k.",
            "x*",
        ),
        *(
            "\\",
            "\\u00",
            "\\n",
            "%",
            "%25",
            "%41",
            "&#",
            "&amp;",
            "-",
            "!",
            "\u200b",
            "c2stcHJv",
            "\u2026",
            "sk-sk",
        ),
    )
    for part in parts:
        yield lambda text: hide(text, secrets, "[]"), part * (2 * size // len(part))
    said = (
        "key=",
        "api_key:",
        "api ",
        "a:",
        "a=",
        "api_key = ",
        "//",
        "//a:",
        "?a=",
        "a" * 60 + "=",
        "token token ",
    )
    forms = (
        "eyJa",
        "eyJa.",
        "Basic ",
        "sk-",
        "sk-a",
        "-----BEGIN PRIVATE KEY-----",
        "SG.a",
        "SG.",
        "a://b:",
        "hf_",
        "sig=",
    )
    for part in (*said, *parts, *forms, "${a:-"):
        yield find, part * (size // len(part))
    for part in forms:
        yield lambda text: without_forms(text, "[]"), part * (2 * size // len(part))


SETS = {"sketches": sketches, "replies": replies, "svgs": svgs, "answers": answers, "keys": keys}


def run(name: str, size: int) -> subprocess.CompletedProcess[str]:
    """The child process with one set of texts, ended with all that it has done."""
    command = [sys.executable, __file__, name, str(size)]
    return subprocess.run(command, capture_output=True, text=True, timeout=500, cwd=Path(__file__).parent)


def main(name: str, size: int) -> None:
    for count, (read, text) in enumerate(SETS[name](size)):
        print(f"{count}: {text[:60]!a} … {text[-20:]!a}, {len(text)} characters", flush=True)
        used = int(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (used + SECONDS_EACH, resource.RLIM_INFINITY))
        read(text)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
