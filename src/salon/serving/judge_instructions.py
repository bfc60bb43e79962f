"""What a request to a judge's server tells it to go by, beside the form of the answer: its criteria.

A judge that reads none must not answer as if it had: so what a request says is taken apart. Our own words,
the request that pictures were made for, captions, and sentences that only ask for a verdict or for JSON are
no criteria; every other sentence is.
"""

import re
from collections.abc import Sequence

from salon.judges.vlm import prompts

_OWN = ("Compare the two pictures by these criteria:\n", "These are the criteria:\n")
_THING = r"(?:pictures?|images?|photos?|paintings?|drawings?|candidates?|options?|results?|outputs?|ones?)"
_ONES = rf"(?:one |{_THING} )?(?:of (?:these|the|them)(?: two)?(?: {_THING})? )?"
_FORM = r"json|object|schema|format|a or b|a, b or tie|yes or no|winner|verdict|nothing else"
_WHO = r"(?:helpful |fair |careful |strict |impartial |expert )?(?:art )?(?:assistant|judge|evaluator|critic)"
_IDLE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:and )?which {_ONES}(?:is|looks|do you) (?:the )?(?:better|best|prefer|preferred)"
        r"(?: one| picture| image)?(?:,? a or b)?",
        rf"(?:please )?(?:compare|judge|look at) (?:the|these|both|two)(?: two)? {_THING}",
        r"(?:please )?(?:pick|choose|select|name|prefer) the (?:better|best)(?: of (?:the|these) two)?"
        rf"(?: {_THING})?",
        r"(?:please |only |now )*(?:answer|reply|respond|return|give|output|write|say)\b[^.!?]{0,120}?"
        rf"\b(?:{_FORM})\b[^.!?]{{0,120}}",
        rf"(?:the )?{_THING}(?: (?:a|b|1|2|before))?",
        r"(?:the )?(?:request|prompt|caption)(?: was| is)?\b.*",
        rf"you are (?:a|an) {_WHO}(?: of (?:pictures|images|art))?",
        r"no (?:prose|explanation|other text|markdown)",
        r"example \d+",
    )
)
_PLAIN = frozenset(
    re.findall(
        r"\S+",
        """a an the this that these those them they two both each pair one ones one's of or and to in with
        by as if it i me my you your we us here below following given above attached overall just only simply
        please now then picture pictures picture's image images photo photos photograph photographs painting
        paintings drawing drawings candidate candidates option options result results output outputs version
        versions
        which what who is are was do does did would could can should will looks look looking seems seem
        better best nicer nicest good preferable preferred prefer winner win wins won
        compare comparing comparison judge choose pick select decide name tell say think find
        answer reply respond return give output write choice verdict letter word single
        equal equally same tie tied draw neither first second left right 1 2 b
        why explain explanation briefly reason sentence""",
    )
)
"""A sentence of these words alone compares, and says nothing of what to go by. `more`, `less`, `worse`, `not`
are none of them.
"""
_KIND = re.compile(
    r"\b(?:an?|is|are|as|looks?|the more) (?:photo|photograph|painting|drawing)s?\b", re.IGNORECASE
)
"""What a picture is asked to be, where else it is a word for any picture."""
_LIKE = re.compile(r"\b(?:do|would|did) you (?:like|prefer|think) (?:more|most|better|best)\b", re.IGNORECASE)
_NO_WORDS = re.compile(
    r"(?:please )?(?:do not|don't|no need to) (?:explain|elaborate|justify)\b.{0,40}", re.IGNORECASE
)
_FIRST, _SECOND = frozenset(("first", "left", "1")), frozenset(("second", "right", "2", "b"))
_TELLS = re.compile(
    r"\b(?:more|less|fewer|better|best|worse|prefer|judge|choose|pick|select|compare|which|criteri\w+|should|must"
    r"|based on|according to|only|never|always)\b",
    re.IGNORECASE,
)
_CAPTION = re.compile(r"\b(?:picture|image|photo|option|candidate) (?:a|b|1|2|before)\s*:", re.IGNORECASE)
_BRACE = re.compile(r"([{}])")
_CAPTIONS = ("Picture A:", "The picture:", "The picture before:")
MOST = 50_000
"""Characters that are taken apart; a longer text is criteria as a whole."""
_QUESTION = re.compile(r"^(?:Question: .*|Questions:|\d{1,9}\. .*)$", re.M)


def criteria_in(system: str, asked: Sequence[str], in_prose: bool = False) -> str:
    """The criteria of a request, as a judge is to be given them; empty where there are none.

    Args:
        system: the system messages.
        asked: the texts of the user's last turn, in order.
        in_prose: whether no form of an answer is asked for: then what the user says without asking or
            telling anything describes what the pictures were made for.
    """
    spans = [_between(system, head, f"\n{prompts.CAUTION}") for head in _OWN]
    named = [system[span[0] : span[1]].strip() for span in spans if span]
    if named:
        return "\n".join(named)
    told = _foreign(_without_own("\n".join(asked)))
    if in_prose:
        told = [sentence for sentence in told if sentence.endswith("?") or _TELLS.search(sentence)]
    return "\n".join([*_foreign(_without_own(system)), *told])


def _without_own(text: str) -> str:
    """A text without what our own clients say, questions and the request that pictures were made for."""
    start = text.find("The request was: ")
    end = max((text.find(f"\n\n{caption}", start) for caption in _CAPTIONS), default=-1) if start >= 0 else -1
    text = text[:start] + text[end:] if end >= 0 else text
    if len(text) > MOST:
        return text
    while span := _between(text, *_CRITIQUE):
        text = f"{text[: span[0] - len(_CRITIQUE[0])]}\n{text[span[1] + len(_CRITIQUE[1]) :]}"
    for own in _SENTENCES:
        text = text.replace(own, "\n")
    return _QUESTION.sub("\n", text)


def _between(text: str, head: str, tail: str) -> tuple[int, int] | None:
    """Where what stands between the first `head` and the next `tail` starts and ends."""
    start = text.find(head)
    end = text.find(tail, start + len(head)) if start >= 0 else -1
    return (start + len(head), end) if end >= 0 else None


def _without_objects(text: str) -> str:
    """A text with a space for each `{…}`, whatever is nested in it; a brace without its other stays."""
    kept: list[str] = []
    opened: list[int] = []
    for piece in _BRACE.split(text):
        if piece == "}" and opened:
            del kept[opened.pop() :]
            piece = " "
        elif piece == "{":
            opened.append(len(kept))
        kept.append(piece)
    return "".join(kept)


def _foreign(text: str) -> list[str]:
    """The sentences that neither ask for a verdict nor for its form."""
    if len(text) > MOST:
        return [text]
    text = _CAPTION.sub("\n", _without_objects(text))
    sentences = (each.strip(" \t\"'`*#:,-") for each in re.split(r"(?<=[.!?])\s+|\n+", text))
    return [each for each in sentences if re.search(r"\w", each) and not _is_idle(each.rstrip(".!?:"))]


def _is_idle(sentence: str) -> bool:
    said = sentence.strip()
    return _is_plain(said) or any(pattern.fullmatch(said) for pattern in (*_IDLE, _NO_WORDS))


def _is_plain(sentence: str) -> bool:
    """Whether it compares, in words that say nothing of what to go by. Who names one of the two pictures and
    not the other one may want that one to win: that is no plain question.
    """
    words = re.findall(r"[\w']+", _LIKE.sub(" ", sentence.replace("\u2019", "'")))
    lowered = {word.lower() for word in words}
    first = bool(lowered & _FIRST) or "A" in words[1:] or words[:2] == ["A", "or"]
    return (
        bool(words) and not _KIND.search(sentence) and lowered <= _PLAIN and first == bool(lowered & _SECOND)
    )


def _sentences() -> tuple[str, ...]:
    """Everything that our own clients say by themselves, longest first."""
    told = [
        *(prompts.comparing("", first, edit=edit) for first in _FIRSTS for edit in (False, True)),
        *(
            prompts.answering(first, several, edit)
            for first in _FIRSTS
            for several in (False, True)
            for edit in (False, True)
        ),
    ]
    lines = {line for text in told for line in text.split("\n")}
    lines |= {prompts.ROLE, prompts.CRITERIA, prompts.CAUTION, prompts.EDIT}
    lines |= {"Which is better? Answer with the JSON object.", "Answer with the JSON object."}
    lines |= {"Write the critique, then score it.", "Answer with one JSON object and nothing else:"}
    return tuple(sorted(lines, key=len, reverse=True))


_FIRSTS: tuple[prompts.First, ...] = ("verdict", "reason")
_CRITIQUE = ("Write a critique of the picture first:", "better picture of the same request.")
_SENTENCES = _sentences()
