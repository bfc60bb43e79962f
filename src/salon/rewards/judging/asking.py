"""Any judge by name, asked about picture files."""

import socket
import urllib.request
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from salon import validation
from salon.errors import RecipeError
from salon.judges.council import Council, weights_from
from salon.judges.inputs_read import reads_of
from salon.judges.measuring.golden import TOLERANCE, by_formula, problems_of, read_golden
from salon.judges.measuring.golden import write_golden as write_scores
from salon.judges.measuring.probe import ABILITIES, Ability, Case, Probe, plain, probe_judge
from salon.judges.preference_model import ModelOfEdits, PreferenceModel
from salon.judges.source_image import SOURCE, judge_of_edits
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.judges.vlm.rational import RationalJudge
from salon.llm.usage import Account, Usage, on_account
from salon.raster import to_picture
from salon.rewards.build import build_model
from salon.types import Critic, Examiner, Failure, Judge, Picture, Prompt, Verdict

from .naming import naming
from .naming import open_judge as open_judge

if TYPE_CHECKING:
    from salon.pool.references import Pool

Found = TypeVar("Found")

HURRIED_S = 1.0
"""How long a person at the shell waits for a server that refuses the connection; a run waits it out."""


def open_for_shell(
    name: str, model: str = "", base_url: str = "", settings: Sequence[str] = (), recipe: str = ""
) -> Judge:
    """`open_judge`, for somebody who waits: where nothing listens at the server's address and no `deadline_s`
    is set, it is given up after a second. What was kept is answered all the same.
    """
    judge = open_judge(name, model, base_url, settings, recipe)
    if not isinstance(judge, OpenAIJudge | RationalJudge) or not _is_refused(judge.server.settings.address):
        return judge
    if "deadline_s" in judge.server.settings.model_fields_set:
        return judge
    return open_judge(name, model, base_url, [*settings, f"deadline_s={HURRIED_S}"], recipe)


def open_examiner(
    name: str,
    model: str = "",
    base_url: str = "",
    settings: Sequence[str] = (),
    recipe: str = "",
    kept: bool = True,
) -> Examiner:
    """A judge that answers questions.

    Args:
        kept: false for one that keeps no answers, where it is one that would.

    Raises:
        RecipeError: it is not known, cannot be built, or answers no questions.
    """
    judge = open_judge(name, model, base_url, settings, recipe)
    if not kept and isinstance(judge, OpenAIJudge):
        judge = open_judge(name, model, base_url, [*settings, "cache=false"], recipe)
    if not isinstance(judge, Examiner):
        raise RecipeError(f"{judge.identity} answers no questions. Name another judge.")
    return judge


def _is_refused(address: str) -> bool:
    """Whether nothing listens there, or no such host is known. What is behind a proxy cannot be told."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    if urllib.request.getproxies().get(parts.scheme) and not urllib.request.proxy_bypass(host):
        return False
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        socket.create_connection((host, port), HURRIED_S).close()
    except (ConnectionRefusedError, socket.gaierror):
        return True
    except OSError:
        return False
    return False


def noting_kept(ask: Callable[[], Found]) -> tuple[Found, bool | None]:
    """What `ask` finds, and whether the judge's answers were kept from before: all, none, or (None) some."""
    with on_account(Account()) as account:
        found = ask()
    spent = account.total
    return found, None if 0 < spent.cached < spent.questions else spent.cached > 0


@dataclass(frozen=True, slots=True)
class Asked:
    """Who answered, for people and records: `identity`, and where one of our servers answered, its own in
    `served`. `reads` is what it reads.
    """

    identity: str
    served: str
    reads: Collection[str]

    @property
    def named(self) -> str:
        """In a line."""
        return f"{self.identity} (served: {self.served})" if self.served else self.identity

    def row(self) -> dict[str, str]:
        """For JSON."""
        return {"judge": self.identity, **({"served": self.served} if self.served else {})}

    def unread(self, prompt: Prompt, called: str) -> str:
        """What to say of a prompt that is not read; empty where it is, or there is none."""
        return f"{called} does not read the prompt" if prompt.text and "prompt" not in self.reads else ""


def asked_of(judge: Judge, kept: bool | None = False) -> Asked:
    """Who answers. A server is asked who it is, unless all its answers were kept from before."""
    served, declared = judge.behind() if isinstance(judge, OpenAIJudge) and kept is not True else ("", None)
    return Asked(judge.identity, served, reads_of(judge) if declared is None else declared)


def open_model(
    name: str, settings: Sequence[str] = (), golden: str = "", tolerance: float = TOLERANCE
) -> PreferenceModel:
    """A preference model that still gives the numbers it gave (see salon.judges.measuring.golden).

    Args:
        settings: `key=value` lines, the values YAML: the model's arguments.
        golden: a file of known scores; without one, it must be steady and not constant.

    Raises:
        RecipeError, SetupError: it is not known, cannot be built, or fails the check.
    """
    written = read_golden(golden) if golden else []
    model = _model(name, settings)
    known = written or by_formula(isinstance(model, ModelOfEdits))
    if problems := problems_of(model, known, tolerance):
        listed = "\n".join(f"  {problem}" for problem in problems)
        raise RecipeError(
            f"{name} ({model.identity}) is not served:\n{listed}\n"
            "Check its weights and its libraries' versions; --tolerance allows more."
        )
    return model


def write_golden(name: str, settings: Sequence[str], path: str) -> None:
    """Write down what a model gives now. Raises RecipeError where it gives no score."""
    write_scores(path, _model(name, settings))


def _model(name: str, settings: Sequence[str]) -> PreferenceModel:
    args: dict[str, Any] = {}
    for line in settings:
        validation.set_key(args, line)
    return build_model(name, args, "--set")


def read_picture(path: str) -> Picture:
    """A picture file of any raster format.

    Raises:
        RecipeError: it cannot be read.
    """
    try:
        return to_picture(validation.read_bytes(path))
    except ValueError as error:
        raise RecipeError(f"{path}: {error}") from error


def compare(judge: Judge, prompt: Prompt, a: Picture, b: Picture) -> dict[str, Any]:
    """What a judge says about two pictures in both orders: `winner` where the two agree, else a tie, and
    `p_a`, their mean.
    """
    with naming(judge):
        first, second = judge.compare(prompt, [(a, b), (b, a)])
        for verdict in (first, second):
            if isinstance(verdict, Failure):
                return {"failure": asdict(verdict)}
        assert isinstance(first, Verdict), "a verdict is a salon.types.Verdict or a Failure"
        assert isinstance(second, Verdict), "a verdict is a salon.types.Verdict or a Failure"
        p = (float(first.p_a), 1.0 - float(second.p_a))
    winner = "a" if min(p) > 0.5 else "b" if max(p) < 0.5 else "tie"
    return {
        "winner": winner,
        "p_a": sum(p) / 2,
        "p_a_shown_first": p[0],
        "p_a_shown_second": p[1],
        "flipped": (p[0] - 0.5) * (p[1] - 0.5) < 0,
        "reason": first.reason,
    }


def answer(judge: Judge, prompt: Prompt, picture: Picture, questions: Sequence[str]) -> list[dict[str, Any]]:
    """One row per question. Raises RecipeError when the judge answers none."""
    if not isinstance(judge, Examiner):
        raise RecipeError(f"{judge.identity} answers no questions. Name another judge.")
    with naming(judge):
        found = judge.answer(prompt, picture, questions)
        pairs = zip(questions, found, strict=True)
        return [{"question": question, **_told(each)} for question, each in pairs]


def critique(judge: Judge, prompt: Prompt, picture: Picture) -> dict[str, Any]:
    """Scores per aspect, and the text. Raises RecipeError when the judge writes no critiques."""
    if not isinstance(judge, Critic):
        raise RecipeError(f"{judge.identity} writes no critiques. Name another judge.")
    with naming(judge):
        return _told(judge.critique(prompt, picture))


def probe(
    judge: Judge, pool: str = "flowers", pairs: int = 3, asks: Collection[str] = ()
) -> tuple[Probe, Usage]:
    """The start-up probe on a pool: a loved picture against blank paper, then loved ones against rejected
    ones. With what it cost. `asks` are the abilities that are tested and that a server must have; without
    any, all are tested, as far as it has them.
    """
    if unknown := [ability for ability in asks if ability not in ABILITIES]:
        raise RecipeError(f"--for {unknown[0]!r}: write {', '.join(ABILITIES)}")
    with on_account(Account()) as account:
        wanted: Sequence[Ability] = [each for each in ABILITIES if each in asks] or ABILITIES
        found = probe_judge(judge, _cases(_pool(pool), pairs), wanted, needed=bool(asks))
    return found, account.total


def weigh(judge: Judge, pool: str = "flowers", pairs: int = 40) -> list[Mapping[str, Any]]:
    """How often each member of a council agrees with a pool's ratings, in both orders, and the weight that
    follows. Raises RecipeError for a judge that is no council.
    """
    if not isinstance(judge, Council):
        raise RecipeError(f"{judge.identity} has no members. Name a judge of kind council.")
    cases = _cases(_pool(pool), pairs)[1:]
    shares: list[float] = []
    for member in judge.members:
        right = [_credit(member, case) for case in cases]
        known = [credit for credit in right if credit is not None]
        if not known:
            raise RecipeError(f"{member.identity} answered nothing, so it cannot be weighed.")
        shares.append(sum(known) / len(known))
    return [
        {"member": member.identity, "agreement": share, "weight": round(weight, 3)}
        for member, share, weight in zip(judge.members, shares, weights_from(shares), strict=True)
    ]


def _credit(member: Judge, case: Case) -> float | None:
    """1 for the good picture in both orders, .5 for one of them, 0 for neither; None without an answer."""
    found = compare(member, case.prompt, case.good, case.bad)
    return None if "failure" in found else {"a": 1.0, "tie": 0.5, "b": 0.0}[found["winner"]]


def _pool(name: str) -> "Pool":
    from salon.pool.references import Pool

    return Pool.load(name)


def _cases(pool: "Pool", pairs: int) -> list[Case]:
    loved, rejected = ([item.reference for item in pool.select(tiers=(tier,))] for tier in ("love", "nope"))
    if not loved or not rejected:
        raise RecipeError(f"pool {pool.name}: pictures rated love and nope are needed.")
    cases = [Case(_about(loved[0].subject), loved[0].picture, plain("white", loved[0].picture.width))]
    for place in range(pairs - 1 if pairs > 1 else 0):
        good, bad = loved[(place + 1) % len(loved)], rejected[place % len(rejected)]
        cases.append(Case(_about(good.subject), good.picture, bad.picture))
    return cases


def _about(subject: str) -> Prompt:
    return Prompt(id=f"probe-{subject}", text=f"draw a {subject or 'flower'}", subject=subject)


def _told(found: Any) -> dict[str, Any]:
    return {"failure": asdict(found)} if isinstance(found, Failure) else asdict(found)


def prompt_of(text: str, before: str = "", judge: Judge | None = None) -> Prompt:
    """A prompt from the shell; `before` is the file of the picture that was to be edited, put where the judge
    looks for it.

    Raises:
        RecipeError: the text is none, or there is a picture before that the judge would not look at.
    """
    _must_be_text("--prompt", text)
    if before and judge is not None and judge_of_edits(judge) is None:
        raise RecipeError(
            f"--before {before}: {judge.identity} judges no edits, and would not look at it. Leave it out, or"
            f" name a judge of edits (of a vision-language model: --set before={SOURCE})."
        )
    key = judge.before if isinstance(judge, OpenAIJudge | RationalJudge) else ""
    return Prompt(id="shell", text=text, meta={key or SOURCE: before} if before else {})


def questions_of(asks: Sequence[str]) -> list[str]:
    """Questions from the shell. Raises RecipeError for one that is empty, or no text."""
    for each in asks:
        _must_be_text("--ask", each)
        if not each.strip():
            raise RecipeError("--ask: is empty. Write a yes/no question.")
    return list(asks)


def _must_be_text(option: str, text: str) -> None:
    """A byte of the command line that is no UTF-8 comes as half of a surrogate pair, which nothing sends."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise RecipeError(f"{option}: is no UTF-8 at character {error.start + 1}. Write it anew.") from error


def existing(paths: Sequence[str]) -> list[Picture]:
    """The pictures in these files, in order."""
    return [read_picture(str(Path(path))) for path in paths]
