"""What a judge's text must look like to count: one JSON object that names a winner. Anything else is no
verdict.

A malformed answer is the judge's failure. It is never read as a loss, a tie or a zero.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Literal

from salon.llm.completion import Completion, Token, unreadable, whole
from salon.llm.json_reply import MAX_CHARACTERS as MAX_CHARACTERS
from salon.llm.json_reply import text_or_empty, the_object
from salon.llm.reasoning import winners_named
from salon.llm.thinking import without_thinking

Winner = Literal["a", "b", "tie"]

ODDS: Mapping[Winner, float] = {"a": 1.0, "b": 0.0, "tie": 0.5}
FAR_FROM_A_TIE = 0.25
_VALUE = re.compile(r'"winner"\s*:\s*"')


def parse_verdict(text: str) -> tuple[Winner, str]:
    """The winner and the reason in a judge's answer.

    The whole text is tried first; then the JSON objects in it, outside of its thinking and not quoted in its
    reasoning, of which exactly one may name a winner. Prose and code fences around it do not matter, unless
    they name another winner as the final one, or think again.

    Raises:
        StageError: with code malformed_verdict, the judge's fault.
    """
    verdict = the_object(text, "winner", "name a winner")
    winner = verdict.get("winner")
    folded = winner.strip().lower() if isinstance(winner, str) else ""
    if folded not in ("a", "b", "tie"):
        raise unreadable(f"the winner is {winner!r}, neither 'A', 'B' nor 'tie'")
    if others := winners_named(without_thinking(text)) - {folded}:
        raise unreadable(f"the winner is {winner!r}, and finally {', '.join(sorted(others))} in words")
    return folded, text_or_empty(verdict.get("reason"))


def verdict_of(completion: Completion) -> tuple[float, str, Winner | None]:
    """The probability that a wins, the reason, and the winner in words where the odds name another one. The
    probability is 1, 0 or .5 where the server gives no log-probabilities.

    Raises:
        StageError: with code malformed_verdict; also for an answer that was cut, whatever it says.
    """
    winner, reason = parse_verdict(whole(completion).text)
    odds = odds_of(winner, completion.tokens)
    if odds is None:
        return ODDS[winner], reason, None
    return odds, reason, winner if disagree(winner, odds) else None


def disagree(winner: Winner, p_a: float) -> bool:
    """Whether odds favour another one than words name: what was drawn was not the likeliest. Of a tie in
    words, odds of 3 to 1 do.
    """
    if winner == "tie":
        return abs(p_a - 0.5) >= FAR_FROM_A_TIE
    return p_a < 0.5 if winner == "a" else p_a > 0.5


def odds_of(winner: Winner, tokens: Sequence[Token]) -> float | None:
    """P(a wins) at the token where this winner is named: P(A) + P(tie) / 2, over what was named at all.

    The tokens are all that was generated, of which servers hand on a part as the answer: vLLM without the
    thinking, llama.cpp without code fences. The last place where a winner is named counts.

    None where the tokens name no winner or another one, or none of their alternatives names one.

    Example: A with probability .7, B with .2, "tie" with .1 and nothing else give .75.
    """
    written = "".join(token.text for token in tokens)
    named = list(_VALUE.finditer(written))
    if not named or _named(written[named[-1].end() :]) != winner:
        return None
    place, at = named[-1].end(), 0
    for token in tokens:
        if at <= place < at + len(token.text):
            return _share(token, place - at)
        at += len(token.text)
    return None


def _share(token: Token, skip: int) -> float | None:
    """P(a wins) over a token's alternatives, whose first `skip` characters belong to what stands before."""
    mass: dict[Winner, float] = {"a": 0.0, "b": 0.0, "tie": 0.0}
    for text, logprob in token.others.items():
        if text[:skip] == token.text[:skip] and (winner := _named(text[skip:])) is not None:
            mass[winner] += math.exp(min(0.0, logprob))
    total = sum(mass.values())
    return (mass["a"] + mass["tie"] / 2) / total if total > 0 else None


def _named(text: str) -> Winner | None:
    """The winner that a value begins with; None when it begins with neither."""
    word = re.sub(r"[^a-z].*", "", text.strip().lower(), flags=re.S)
    if word in ("a", "b"):
        return word
    return "tie" if word and "tie".startswith(word) else None
