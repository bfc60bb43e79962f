"""The source inside a model's reply: out of its fences, its prose and its thinking."""

import re

from salon.types import Failure

THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
CLOSING_TAG = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
FENCE = re.compile(
    r"^[ \t]*(`{3,30}|~{3,30})[ \t]*([\w.+#-]*)[^\n]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
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
CODE = re.compile(r"[;{}]|=>|\w\s*\([^)]*\)\s*$", re.MULTILINE)
FIRST_CODE_LINE = re.compile(
    r"^[ \t]*(?:(?:async\s+)?function\s+\w+\s*\(|(?:let|const|var)\s+[\w{\[]|new\s+p5\s*\("
    r"|//|/\*|[\"']use strict)",
    re.MULTILINE,
)
SVG = re.compile(r"<svg\b.*?</svg\s*>", re.DOTALL | re.IGNORECASE)


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
        The source, or the failure `no_sketch_in_response`.
    """
    text = without_thinking(reply).replace("\r\n", "\n").removeprefix("\ufeff")
    text = FENCE.sub(lambda block: block[3] if block[2].lower() in MARKDOWN else block[0], text)
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
    text = without_thinking(reply)
    start = re.search(r"<svg\b", text, re.IGNORECASE)
    if start is None:
        message = "the reply holds no <svg>" if reply.strip() else "the reply is empty"
        return Failure("no_sketch_in_response", message, "sample", "extract")
    rest = text[start.start() :]
    ends = list(re.finditer(r"</svg\s*>", rest, re.IGNORECASE))
    return (rest[: ends[-1].end()] if ends else rest.split("```")[0].rstrip()) + "\n"


def _best_block(text: str) -> str | None:
    blocks = [(match[2].lower(), match[3]) for match in FENCE.finditer(text)]
    if not blocks:
        return None
    bodies = [_scripts(body) or body for language, body in blocks if language == "html" or not language]
    bodies += [body for language, body in blocks if language and language not in OTHER_LANGUAGES]
    with_entry = [body for body in _in_order(blocks, bodies) if ENTRY.search(body)]
    return with_entry[0] if with_entry else max(bodies, key=len, default="")


def _in_order(blocks: list[tuple[str, str]], bodies: list[str]) -> list[str]:
    """The candidate bodies in the order in which the reply has them."""
    position = {(_scripts(body) or body): index for index, (_, body) in enumerate(blocks)}
    return sorted(bodies, key=lambda body: position.get(body, len(blocks)))


def _scripts(text: str) -> str:
    """The inline scripts of an HTML page, joined; "" where there is none."""
    return "\n".join(body for attributes, body in SCRIPT.findall(text) if "src=" not in attributes).strip()


def _bare(text: str) -> str:
    """Source without a fence: from its first line of code, when an entry point or at least code follows."""
    entry = BARE_ENTRY.search(text)
    if entry is None:
        return text if CODE.search(text) and re.search(r"\b(?:brush\.|createCanvas)", text) else ""
    begin = min(entry.start(), (FIRST_CODE_LINE.search(text) or entry).start())
    source = text[begin:]
    in_backticks = text[:begin].endswith("`") and source.count("`") % 2 == 1
    return source.rpartition("`")[0] if in_backticks else source
