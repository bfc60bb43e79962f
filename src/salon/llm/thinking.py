"""What a model thinks before it speaks, in the marks that several families of models put around it.

Thinking that never ends says nothing: the answer was cut before it began, whatever the draft says. So does a
code fence that is opened and never closed.
"""

import re
from collections import Counter

_WORD = (
    r"(?:\w{1,20}[:_-])?(?:ant)?(?:think(?:ing)?|thoughts?|reason(?:s|ing)?|reflect(?:ion)?s?|analy[sz](?:is|e|ing)"
    r"|scratch(?:pad)?|cot|drafts?|plan(?:s|ning)?|rationales?|deliberat(?:e|ion)s?|brainstorm(?:ing)?|monologue"
    r"|considerations?|notes?|working)(?:[:_-]\w{1,20})?"
)
_LESS, _MORE = r"(?:<|＜|&lt;)", r"(?:>|＞|&gt;)"
_OPENS = re.compile(
    "|".join(
        (
            # <think>, <thinking effort="high">, <seed:think>, <|think|>; <think and its name may run on.
            rf"{_LESS}\|?(?:{_WORD}|think\w*)(?:\s[^<>]{{0,200}})?\|?{_MORE}",
            r"<\|(?:im_start|start_header_id|start)\|>\s*(?:assistant\s*)?(?:analysis|commentary|thoughts?|think)",
            # So in small letters at the start alone: in the middle it may be prose.
            r"\A\s*\[(?:think|thinking|reasoning|thought)\]",
            r"(?-i:\A\s*thought\n)",
            rf"<\|(?:begin_?of_?|start_?(?:of_?)?){_WORD}\|>",
            r"◁\s*think\w*\s*▷",
            r"<\|channel\|?>\s*(?:analysis|commentary|thought)",
            r"<unused94>",
            r"<\|inner_prefix\|>",
            r"(?-i:\[(?:THINK|THINKING|REASONING|THOUGHT)\])",
            r"here is my thought process:",
        )
    ),
    re.IGNORECASE,
)
_CLOSES = re.compile(
    "|".join(
        (
            rf"{_LESS}\|?/(?:{_WORD}|think\w*)\|?{_MORE}",
            rf"<\|end_?(?:of_?)?{_WORD}\|>",
            r"◁\s*/\s*think\w*\s*▷",
            r"<\|channel\|>\s*final\s*(?:<\|constrain\|>\s*+(?:\w{1,20}\s*+)?)?<\|message\|>",
            r"<channel\|>",
            r"<unused95>",
            r"<\|inner_suffix\|>",
            r"\[/(?:THINK|THINKING|REASONING|THOUGHT)\]",
            r"here is my response:",
        )
    ),
    re.IGNORECASE,
)
_BARE_CHANNEL = re.compile(r"\s*(?:assistant)?analysis(?=[A-Z\"'{])")
"""A server that drops special tokens leaves the names of channels: `analysisWe look … assistantfinal{…}`."""
_PART = re.compile(
    r"<(/?)(evaluation|introspection|ponder(?:ing)?|ruminat(?:e|ion)|contemplation|(?:initial|inner)(?:_\w{1,20})?"
    r"|tool_call|critique|assessment|observations?|explanation|justification|hypothesis|provisional|preliminary)>",
    re.IGNORECASE,
)
"""Parts of an answer that may hold it where they are closed; one that is not was cut."""
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)


def without_thinking(text: str) -> str:
    """What follows the last closing mark of thinking; text whose thinking never ends says nothing."""
    if _BARE_CHANNEL.match(text):
        return text.rpartition("assistantfinal")[2] if "assistantfinal" in text else ""
    start = 0
    for mark in _CLOSES.finditer(text):
        start = mark.end()
    after = text[start:]
    return "" if _OPENS.search(after) or _is_cut(after) else after


def _is_cut(text: str) -> bool:
    """Whether a part or a comment is opened in a text and never closed."""
    parts = Counter((mark[2].lower(), mark[1]) for mark in _PART.finditer(text))
    unclosed = any(count > parts[name, "/"] for (name, end), count in parts.items() if not end)
    return unclosed or "<!--" in text.rpartition("-->")[2]


def is_unfinished(text: str) -> bool:
    """Whether a code fence is opened in it and never closed: the answer was cut."""
    return len(_FENCE.findall(text)) % 2 == 1
