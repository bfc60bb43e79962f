"""The source inside a model's reply: out of its fences, its prose and its thinking."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from salon.markup import encodable
from salon.types import Failure

THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
CLOSING_TAG = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([\w.+#-]*)")
"""How a line opens a block; one that holds nothing but the same mark closes it."""
LONGEST = 1_000_000
"""Characters of a reply that are looked at."""
OTHER_LANGUAGES = {
    "html",
    "css",
    "json",
    "python",
    "py",
    "bash",
    "sh",
    "text",
    "txt",
    "markdown",
    "md",
    "svg",
    "xml",
}
MARKDOWN = {"markdown", "md"}
SCRIPT = re.compile(r"<script\b([^<>]*)>(.*?)(?:</script\s*>|\Z)", re.DOTALL | re.IGNORECASE)
ENTRY = re.compile(r"\bfunction\s+(?:setup|draw)\s*\(|\b(?:setup|draw)\s*=|\bnew\s+p5\s*\(")
BARE_ENTRY = re.compile(
    r"\bfunction\s+(?:setup|draw)\s*\([^()]*\)\s*\{|\b(?:setup|draw)\s*=(?!=)|\bnew\s+p5\s*\("
)
CODE = re.compile(r"[;{}]|=>")
CALL = re.compile(r"\w\s*\(")
FIRST_CODE_LINE = re.compile(
    r"^[ \t]*(?:(?:async\s+)?function\s+\w+\s*\(|(?:let|const|var)\s+[\w{\[]|new\s+p5\s*\("
    r"|//|/\*|[\"']use strict)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class _Block:
    """A fenced block: where it begins and ends in its text, its language in lower case, and what it holds."""

    start: int
    end: int
    language: str
    body: str


def without_thinking(reply: str) -> str:
    """The reply without <think>…</think>; a reply that only closes the tag began inside it."""
    closing = next(reversed(list(CLOSING_TAG.finditer(reply))), None)
    if closing is not None and "<think" not in reply[: closing.start()].lower():
        return reply[closing.end() :]
    return THINKING.sub("", reply)


def extract_sketch(reply: str) -> str | Failure:
    """The JavaScript of a sketch.

    The rule, in order: thinking is dropped; of several fenced blocks the first with an entry point (setup,
    draw or new p5) wins, else the longest that is not in another language; an unclosed fence runs to the end;
    the <script> of an HTML page is taken out; without a fence, everything from the first line that is code,
    when there is an entry point.

    Returns:
        The source, or the failure `no_sketch_in_response`, or `too_large`.
    """
    if len(reply) > LONGEST:
        return _too_large(reply)
    text = without_thinking(encodable(reply)).replace("\r\n", "\n").removeprefix("\ufeff")
    text = _unwrapped(text)
    source = _best_block(text)
    if source is None:
        source = _scripts(text) or _bare(text)
    if not source.strip():
        message = "the reply holds no code" if reply.strip() else "the reply is empty"
        return Failure("no_sketch_in_response", message, "sample", "extract")
    return source.strip() + "\n"


def extract_svg(reply: str) -> str | Failure:
    """The SVG in a reply: from the first `<svg` to the last `</svg>` after it, or to the end where it is not
    closed.
    """
    if len(reply) > LONGEST:
        return _too_large(reply)
    text = without_thinking(encodable(reply))
    start = re.search(r"<svg\b", text, re.IGNORECASE)
    if start is None:
        message = "the reply holds no <svg>" if reply.strip() else "the reply is empty"
        return Failure("no_sketch_in_response", message, "sample", "extract")
    rest = text[start.start() :]
    ends = list(re.finditer(r"</svg\s*>", rest, re.IGNORECASE))
    return (rest[: ends[-1].end()] if ends else rest.split("```")[0].rstrip()) + "\n"


def _too_large(reply: str) -> Failure:
    told = f"the reply has {len(reply):,} characters, and {LONGEST:,} are looked at"
    return Failure("too_large", told, "sample", "extract")


def _blocks(text: str) -> Iterator[_Block]:
    """The fenced blocks, the last perhaps without an end. One pass over the lines."""
    start, mark, language = -1, "", ""
    body = at = 0
    for line in text.split("\n"):
        end = at + len(line)
        if start >= 0 and line.strip(" \t") == mark:
            yield _Block(start, end, language, text[body:at])
            start = -1
        elif start < 0 and end < len(text) and (opening := FENCE.match(line)):
            start, mark, language = at, opening[1], opening[2].lower()
            body = end + 1
        at = end + 1
    if start >= 0:
        yield _Block(start, len(text), language, text[body:])


def _unwrapped(text: str) -> str:
    """The text with blocks of Markdown opened, in which other blocks may stand."""
    pieces, at = list[str](), 0
    for block in _blocks(text):
        if block.language in MARKDOWN:
            pieces += text[at : block.start], block.body
            at = block.end
    return "".join([*pieces, text[at:]])


def _best_block(text: str) -> str | None:
    blocks = list(_blocks(text))
    if not blocks:
        return None
    bodies = [
        _scripts(block.body) or block.body if block.language in ("", "html") else block.body
        for block in blocks
        if block.language == "html" or block.language not in OTHER_LANGUAGES
    ]
    with_entry = (body for body in bodies if ENTRY.search(body))
    return next(with_entry, None) or max(bodies, key=len, default="")


def _scripts(text: str) -> str:
    """The inline scripts of an HTML page, joined; "" where there is none."""
    return "\n".join(body for attributes, body in SCRIPT.findall(text) if "src=" not in attributes).strip()


def _bare(text: str) -> str:
    """Source without a fence: from its first line of code, when an entry point or at least code follows."""
    entry = BARE_ENTRY.search(text)
    if entry is None:
        is_code = CODE.search(text) or any(map(_ends_in_call, text.split("\n")))
        return text if is_code and re.search(r"\b(?:brush\.|createCanvas)", text) else ""
    begin = min(entry.start(), (FIRST_CODE_LINE.search(text) or entry).start())
    source = text[begin:]
    in_backticks = text[:begin].endswith("`") and source.count("`") % 2 == 1
    return source.rpartition("`")[0] if in_backticks else source


def _ends_in_call(line: str) -> bool:
    return line.rstrip().endswith(")") and CALL.search(line) is not None
