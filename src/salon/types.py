"""The nouns of salon. Read this file first: everything else moves these values along one sentence.

    policy → render → judge → reward → update

A *prompt* asks for a picture. The policy answers it several times; the answers to one prompt are a *group*.
Each answer is a *sample*: the raw reply, the source taken out of it, and the picture that source renders to.
*Scorers* look at a group and return one *score* per sample and per term; the reward composes the terms into a
total, and the totals of a group become advantages.

Every value is frozen. Missing is not zero: a score has either a value or a failure, never both and never NaN.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from salon.markup import Html, el, printable
from salon.notebook import figure, html_of, line, strip, table, text
from salon.number_text import number

Tier = Literal["love", "okay", "nope"]
Fault = Literal["sample", "system"]
TermStatus = Literal["ok", "missing", "not_applicable", "gated"]

LONGEST_MESSAGE = 4000
"""Characters of a failure's message that are kept."""

_NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked for. `tags` and `meta` (for example colour and flower) steer gates and scorers."""

    id: str
    text: str
    subject: str = ""
    tags: tuple[str, ...] = ()
    meta: Mapping[str, str] = field(default_factory=lambda: dict(_NOTHING))


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no value.

    `code` is a stable snake_case word that tools may match on; `message` helps the person or model that wrote
    the source. `fault` says who is to blame: "sample" (it does not compile, it is blank: a real, low reward)
    or "system" (browser lost, judge unreachable: no reward at all). `stage` is extract | check | render |
    judge | score.
    """

    code: str
    message: str
    fault: Fault
    stage: str = ""

    def __post_init__(self) -> None:
        # A sketch, a server or a library wrote part of it: it moves no cursor, and every file can hold it.
        if not (self.message.isprintable() and len(self.message) <= LONGEST_MESSAGE):
            object.__setattr__(self, "message", printable(self.message, LONGEST_MESSAGE))
        if not self.code.isprintable():
            object.__setattr__(self, "code", printable(self.code, LONGEST_MESSAGE))

    def _repr_html_(self) -> str:
        return line(el("b", None, text(self.code)), text(f" ({self.fault}'s): {self.message}"))


@dataclass(frozen=True, slots=True)
class Picture:
    """A rendered PNG (RGB, no alpha). `key`, the SHA-256 of its bytes in hex, names it in every record."""

    png: bytes = field(repr=False)
    width: int
    height: int
    key: str

    @classmethod
    def from_png(cls, png: bytes) -> "Picture":
        """Read the size from the PNG header. Raises ValueError when `png` is not a PNG."""
        if png[:8] != b"\x89PNG\r\n\x1a\n" or len(png) < 24:
            raise ValueError("not a PNG: the eight-byte signature is missing")
        width, height = int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
        return cls(png=png, width=width, height=height, key=hashlib.sha256(png).hexdigest())

    def _repr_png_(self) -> bytes:
        return self.png


@dataclass(frozen=True, slots=True)
class Rendering:
    """What became of one source: a picture, or a failure (with a partial picture where there was one).

    `calls`: the entry points that the source called when it ran, such as "brush.fill", by whatever name it
    held them, and "scope.page" where it ran with the names of the page (docs/decisions/017). None where
    nobody watched.
    """

    picture: Picture | None
    failure: Failure | None
    seconds: float = 0.0
    calls: tuple[str, ...] | None = None

    @property
    def ok(self) -> bool:
        return self.failure is None and self.picture is not None

    def _repr_html_(self) -> str:
        return _figure(self.picture, self.failure)


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer of a policy to a prompt, and what became of it.

    `reply` is the raw text. `source` is what was taken out of it (None when nothing was found). `picture` may
    be partial when `failure` is set. `tokens` counts the completion's tokens; `truncated` is true when it ran
    into the token limit. `seed` seeded the rendering. `calls` are the rendering's.
    """

    id: str
    prompt: Prompt
    reply: str = field(repr=False)
    source: str | None = field(default=None, repr=False)
    picture: Picture | None = None
    failure: Failure | None = None
    tokens: int = 0
    truncated: bool = False
    seed: int = 0
    seconds: float = 0.0
    calls: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """All samples of one prompt at one policy step: the unit that scorers see.

    `seed` fixes what is drawn for the whole group.
    """

    prompt: Prompt
    samples: tuple[Sample, ...]
    step: int = 0
    seed: int = 0

    def _repr_html_(self) -> str:
        shown = [_figure(each.picture, each.failure, text(each.id)) for each in self.samples]
        return strip(text(f"{self.prompt.text} · step {self.step} · {len(self.samples)} samples"), shown)


@dataclass(frozen=True, slots=True)
class Score:
    """One scorer's answer for one sample: a finite value, or a failure.

    `reason` is for people; `details` are numbers worth keeping. A name with a slash in it (`against/12b8f`)
    is of one thing among many, and no mean over a step is made of it.
    """

    value: float | None
    failure: Failure | None = None
    reason: str = ""
    details: Mapping[str, float] = field(default_factory=lambda: dict[str, float]())

    def __post_init__(self) -> None:
        if (self.value is None) != (self.failure is not None):
            raise ValueError("a score has either a value or a failure, and never both")
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"a score is finite or missing, never {self.value}")


@dataclass(frozen=True, slots=True)
class TermValue:
    """One term of one sample's reward: as scored, as normalised, and as it entered the sum, or None.
    `details` are the score's.
    """

    term: str
    raw: float | None
    normalized: float | None
    weighted: float | None
    status: TermStatus
    reason: str = ""
    details: Mapping[str, float] = field(default_factory=lambda: dict[str, float]())


@dataclass(frozen=True, slots=True)
class Reward:
    """A sample's composed reward.

    `total` is None when the sample gives no gradient: a system failure took its reward away. `gated` is true
    when the sample failed a gate, so that its total is the recipe's floor.
    """

    total: float | None
    terms: tuple[TermValue, ...]
    advantage: float | None = None
    gated: bool = False

    def _repr_html_(self) -> str:
        told = f"total {number(self.total, 3)}{' (at a gate)' if self.gated else ''}"
        told += "" if self.advantage is None else f", advantage {number(self.advantage, 3)}"
        rows = [
            (text(each.term), number(each.raw, 3), number(each.weighted, 3), each.status, text(each.reason))
            for each in self.terms
        ]
        return el("div", None, line(told), table(("term", "raw", "weighted", "status", "reason"), rows))


@dataclass(frozen=True, slots=True)
class Reference:
    """A rated picture of a pool, with the source it was rendered from."""

    id: str
    picture: Picture
    tier: Tier
    subject: str = ""
    source: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judge's comparison of pictures a and b. `p_a` is the probability that a wins (0.5 is a tie).

    `said` is the winner in its words where its odds, which count, name another one; else None.
    """

    p_a: float
    judge: str
    reason: str = ""
    said: Literal["a", "b", "tie"] | None = None

    @property
    def winner(self) -> Literal["a", "b", "tie"]:
        return "tie" if self.p_a == 0.5 else "a" if self.p_a > 0.5 else "b"

    def _repr_html_(self) -> str:
        said = f"; in its words: {self.said}" if self.said else ""
        odds = f"{self.winner}: P(a wins) = {number(self.p_a, 3)}{said}, says {text(self.judge)}"
        return el("div", None, line(el("b", None, odds)), line(text(self.reason)))


@dataclass(frozen=True, slots=True)
class Answer:
    """A judge's answer to one question about a picture; `yes` is None where the question does not apply."""

    yes: bool | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Critique:
    """A judge's critique of one picture: a score from `low` to `high` per aspect, None where it does not
    apply.

    `text` is what it says, for people; `request`, where there is one, is how it would ask for a better one.
    """

    scores: Mapping[str, float | None]
    low: float
    high: float
    text: str = ""
    request: str = ""

    def __post_init__(self) -> None:
        for aspect, score in self.scores.items():
            if score is not None and not self.low <= score <= self.high:
                raise ValueError(f"{aspect} scores {score}, outside of {self.low:g} to {self.high:g}")


def _figure(picture: Picture | None, failure: Failure | None, name: str = "") -> Html:
    """A picture over its name, and why it failed."""
    return figure(picture.png if picture else None, name, html_of(failure) if failure else None)


@runtime_checkable
class Judge(Protocol):
    """Looks at pictures. `identity` names it, with the hash of its weights or prompts, in every record."""

    identity: str

    def compare(self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]]) -> list[Verdict | Failure]:
        """One verdict per pair, in order."""
        ...


@runtime_checkable
class Rater(Protocol):
    """A judge that gives each picture a number of its own, on whatever scale: more is better."""

    identity: str

    def assess(self, pictures: Sequence[Picture]) -> list[float | Failure]:
        """One number per picture, in order."""
        ...


@runtime_checkable
class Examiner(Protocol):
    """A judge that answers yes/no questions about a picture. Equal questions get equal answers."""

    identity: str

    def answer(self, prompt: Prompt, picture: Picture, questions: Sequence[str]) -> list[Answer | Failure]:
        """One answer per question, in order. May be called from several threads."""
        ...


@runtime_checkable
class Critic(Protocol):
    """A judge that writes a critique before it scores. It keeps its answers: several terms may ask the
    same.
    """

    identity: str

    def critique(self, prompt: Prompt, picture: Picture) -> Critique | Failure:
        """The critique; an answer that cannot be read is a failure, never a low score. May be called from
        several threads.
        """
        ...


@runtime_checkable
class Classifier(Protocol):
    """Says what kind of prompt this is, in one word: what `when: "labels.<name> == …"` compares with.

    `version` changes whenever an answer could. It is asked once per prompt.
    """

    version: str

    def label(self, prompt: Prompt) -> str:
        """The label. What it raises is a failure of the system: the terms that ask for it are missing."""
        ...


@runtime_checkable
class Medium(Protocol):
    """Turns a reply into a picture."""

    name: str

    def extract(self, reply: str) -> str | Failure:
        """The source inside a model's reply."""
        ...

    def check(self, source: str) -> Failure | None:
        """What can be known to be wrong without rendering."""
        ...

    def render(self, sources: Sequence[str], seeds: Sequence[int]) -> list[Rendering]:
        """One rendering per source, in order; a bad source is a Failure, never an exception."""
        ...

    def versions(self) -> dict[str, str]:
        """Everything that decides a pixel, for the manifest."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class Scorer(Protocol):
    """One signal. `version` changes whenever its numbers would."""

    version: str

    def score(self, group: Group) -> list[Score]:
        """One score per sample of the group, in order. Pointwise scorers map; pairwise ones compare."""
        ...


@runtime_checkable
class GroupScorer(Scorer, Protocol):
    """A scorer that compares the samples of a group with one another, so that it must see all of them at
    once: a group must not be split over processes.
    """

    compares_mates: Literal[True]
