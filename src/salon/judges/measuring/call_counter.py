"""A judge that counts what it is asked, whatever it can do: what a step of training will ask of it."""

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any, cast

from salon.types import Critic, Examiner, Judge, Rater

QUESTIONS: dict[str, tuple[str, Callable[..., int]]] = {
    "compare": ("comparisons", lambda prompt, pairs: len(pairs)),
    "assess": ("pictures", lambda pictures: len(pictures)),
    "answer": ("questions", lambda prompt, picture, questions: len(questions)),
    "critique": ("critiques", lambda prompt, picture: 1),
}
"""What a judge's methods are asked for, and how much of it one call is."""
_PROTOCOLS: dict[str, type] = {"compare": Judge, "assess": Rater, "answer": Examiner, "critique": Critic}


def counted(judge: Any) -> tuple[Any, Counter[str]]:
    """The same judge, and a counter that goes up with every question to it.

    What the judge answers from a memory of its own is counted too. Safe to use from several threads.

    Returns:
        A judge with those methods that the given one has (and its other attributes), and its counter.
    """
    counter, lock = Counter[str](), threading.Lock()

    def method(name: str) -> Callable[..., Any]:
        what, amount = QUESTIONS[name]
        ask = getattr(judge, name)

        def call(self: Any, *args: Any) -> Any:
            with lock:
                counter[what] += amount(*args)
            return ask(*args)

        return call

    able = {name: method(name) for name, protocol in _PROTOCOLS.items() if isinstance(judge, protocol)}

    def rest(self: Any, name: str) -> Any:
        return getattr(judge, name)

    made = type("Counted", (), {**able, "identity": judge.identity, "__getattr__": rest})
    return cast(Any, made()), counter
