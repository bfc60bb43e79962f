"""The engine with scorers that hang, raise and miscount: gates first, nothing held up, nothing made zero."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from salon.errors import RecipeError, SetupError
from salon.rewards.compose import compose
from salon.rewards.engine import RewardEngine
from salon.rewards.recipe import load_reward
from salon.types import Failure, Group, Prompt, Sample, Score

PROMPT = Prompt(id="peach-hibiscus", text="draw a peach hibiscus")
OWN = Failure("syntax_error", "unexpected token", "sample", "check")
LOST = Failure("browser_lost", "the browser ended", "system", "render")


class Recorder:
    """Scores 1 (or `value`) and remembers which samples it was asked about."""

    version = "1"

    def __init__(self, value: float = 1.0, seed: int = 0) -> None:
        self.value, self.seed = value, seed
        self.asked: list[str] = []

    def score(self, group: Group) -> list[Score]:
        self.asked += [sample.id for sample in group.samples]
        return [Score(self.value) for _ in group.samples]


class GateOnReply:
    """0 for a reply "bad" or a sample that failed by itself."""

    version = "1"

    def score(self, group: Group) -> list[Score]:
        return [Score(0.0 if s.reply == "bad" or s.failure else 1.0, reason="looked") for s in group.samples]


class Hangs:
    """Hangs in groups of the prompt "slow" until `RELEASE` is set."""

    version = "1"

    def __init__(self) -> None:
        self.stuck = 0

    def score(self, group: Group) -> list[Score]:
        if group.prompt.id == "slow":
            self.stuck += 1
            RELEASE.wait()
        return [Score(0.5) for _ in group.samples]


class Raises:
    version = "1"

    def __init__(self, kind: str = "ValueError") -> None:
        self.kind = kind

    def score(self, group: Group) -> list[Score]:
        raise {"ValueError": ValueError, "SetupError": SetupError}[self.kind]("out of order")


class Miscounts:
    version = "1"

    def score(self, group: Group) -> list[Score]:
        return [Score(1.0)]


class Together:
    """Passes only when as many groups as it expects are being scored at the same moment."""

    version = "1"

    def __init__(self, parties: int) -> None:
        self.barrier = threading.Barrier(parties, timeout=5)

    def score(self, group: Group) -> list[Score]:
        self.barrier.wait()
        return [Score(1.0) for _ in group.samples]


RELEASE = threading.Event()


@pytest.fixture(autouse=True)
def _nobody_hangs_on() -> Iterator[None]:
    RELEASE.clear()
    yield
    RELEASE.set()


def engine(seed: int = 0, **terms: dict[str, Any]) -> RewardEngine:
    made = {
        name: {**term, "scorer": f"{__name__}:{term['scorer']}", "weight": term.get("weight", 1.0)}
        for name, term in terms.items()
    }
    return RewardEngine(load_reward({"terms": made}), seed)


def group(*replies: str | Failure, prompt: Prompt = PROMPT) -> Group:
    samples = [
        Sample(
            f"{prompt.id}-{i}",
            prompt,
            reply=r if isinstance(r, str) else "",
            failure=None if isinstance(r, str) else r,
        )
        for i, r in enumerate(replies)
    ]
    return Group(prompt, tuple(samples))


def recorder(made: RewardEngine, name: str) -> Recorder:
    scorer = made.scorers[name]
    assert isinstance(scorer, Recorder)
    return scorer


def codes(scores: list[Score]) -> list[str | None]:
    return [score.failure.code if score.failure else None for score in scores]


def test_what_fails_a_gate_reaches_no_other_scorer() -> None:
    made = engine(dear={"scorer": "Recorder"}, gate={"scorer": "GateOnReply", "role": "gate"})
    scores = made.score([group("good", "bad", OWN, "good"), group("bad")])
    assert recorder(made, "dear").asked == ["peach-hibiscus-0", "peach-hibiscus-3"]
    assert [s.value for s in scores[0]["gate"]] == [1, 0, 0, 1]
    assert codes(scores[0]["dear"]) == [None, "gated", "gated", None]
    assert scores[0]["dear"][1].failure is not None
    assert scores[0]["dear"][1].failure.fault == "sample"
    assert list(scores[1]) == ["dear", "gate"]


def test_a_sample_that_the_system_failed_is_shown_to_nobody() -> None:
    made = engine(gate={"scorer": "Recorder", "role": "gate"}, dear={"scorer": "Recorder"})
    scores = made.score([group(LOST, "good")])[0]
    assert recorder(made, "gate").asked == recorder(made, "dear").asked == ["peach-hibiscus-1"]
    assert codes(scores["gate"]) == codes(scores["dear"]) == ["browser_lost", None]


def test_without_a_gate_a_samples_own_fault_still_costs_no_scorer() -> None:
    made = engine(dear={"scorer": "Recorder"})
    assert codes(made.score([group(OWN, "good")])[0]["dear"]) == ["syntax_error", None]
    assert recorder(made, "dear").asked == ["peach-hibiscus-1"]


def test_a_scorer_that_hangs_loses_its_own_group_and_holds_up_nothing() -> None:
    made = engine(slow={"scorer": "Hangs", "deadline_s": 0.3, "concurrency": 2}, other={"scorer": "Recorder"})
    slow, quick = made.score([group("a", "b", prompt=Prompt("slow", "x")), group("a")])
    assert codes(slow["slow"]) == ["deadline_exceeded"] * 2
    assert slow["slow"][0].failure == Failure(
        "deadline_exceeded", "not scored within 0.3 s", "system", "score"
    )
    assert codes(quick["slow"]) == codes(slow["other"])[:1] == [None]


def test_a_scorer_that_still_hangs_costs_no_more_time_or_threads_and_may_recover() -> None:
    made = engine(slow={"scorer": "Hangs", "deadline_s": 0.3})
    stuck = group("a", prompt=Prompt("slow", "x"))
    made.score([stuck])
    before = threading.active_count()
    assert codes(made.score([stuck])[0]["slow"]) == ["deadline_exceeded"]
    assert threading.active_count() == before
    scorer = made.scorers["slow"]
    assert isinstance(scorer, Hangs)
    assert scorer.stuck == 1, "the second group is not begun"
    RELEASE.set()
    [thread.join(5) for thread in threading.enumerate() if thread.name.startswith("salon-slow")]
    assert codes(made.score([group("a")])[0]["slow"]) == [None]


def test_an_answer_after_the_deadline_is_thrown_away() -> None:
    made = engine(slow={"scorer": "Hangs", "deadline_s": 0.2})
    scores = made.score([group("a", prompt=Prompt("slow", "x"))])
    RELEASE.set()
    [thread.join(5) for thread in threading.enumerate() if thread.name.startswith("salon-slow")]
    assert codes(scores[0]["slow"]) == ["deadline_exceeded"]


def test_an_exception_is_the_systems_failure_with_its_message() -> None:
    made = engine(broken={"scorer": "Raises"}, other={"scorer": "Recorder"})
    scores = made.score([group("a")])[0]
    failure = scores["broken"][0].failure
    assert failure is not None
    assert (failure.fault, failure.message) == ("system", "ValueError: out of order")
    assert scores["other"][0].value == 1.0


def test_the_users_own_mistake_stops_the_step() -> None:
    with pytest.raises(SetupError, match="out of order"):
        engine(broken={"scorer": "Raises", "args": {"kind": "SetupError"}}).score([group("a")])


def test_a_wrong_number_of_scores_is_nobodys_score() -> None:
    assert (
        codes(engine(odd={"scorer": "Miscounts"}).score([group("a", "b")])[0]["odd"])
        == ["wrong_number_of_scores"] * 2
    )


def test_terms_and_groups_run_at_once_up_to_the_concurrency() -> None:
    made = engine(wide={"scorer": "Together", "args": {"parties": 3}, "concurrency": 3})
    scores = made.score([group("a", prompt=Prompt(str(i), "x")) for i in range(3)])
    assert [codes(each["wide"]) for each in scores] == [[None]] * 3


def test_the_runs_seed_reaches_a_scorer_that_takes_one_and_identities_are_told() -> None:
    made = engine(seed=7, dear={"scorer": "Recorder"})
    assert recorder(made, "dear").seed == 7
    assert made.identities() == {"scorer dear": f"{__name__}:Recorder 1"}
    made.score([group("a")])
    assert made.seconds["dear"] >= 0


class FlakyClassifier:
    """Labels a prompt by its first word; the first question of all fails."""

    version = "3"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def label(self, prompt: Prompt) -> str:
        self.asked.append(prompt.id)
        if len(self.asked) == 1:
            raise ConnectionError("no route")
        return prompt.text.split()[0]


def test_a_term_is_only_asked_where_it_applies() -> None:
    made = engine(
        gate={"scorer": "GateOnReply", "role": "gate", "when": "'gated' in prompt.tags"},
        strict={"scorer": "Recorder", "when": "'strict' in prompt.tags"},
        always={"scorer": "Recorder"},
    )
    open_one, strict_one = Prompt("o", "x"), Prompt("s", "x", tags=("strict", "gated"))
    loose, tight = made.score(
        [group("good", "bad", prompt=open_one), group("good", "bad", prompt=strict_one)]
    )
    assert recorder(made, "strict").asked == ["s-0"]
    assert recorder(made, "always").asked == ["o-0", "o-1", "s-0"]
    assert codes(loose["gate"]) == codes(loose["strict"]) == ["not_applicable"] * 2
    assert codes(tight["strict"]) == [None, "gated"]
    assert loose["strict"][0].failure == Failure(
        "not_applicable", "not when 'strict' in prompt.tags", "system", "score"
    )
    rewards = compose(
        made.recipe, ["o"] * 2 + ["s"] * 2, {name: [*loose[name], *tight[name]] for name in loose}
    )
    assert [value.status for value in rewards[1].terms] == ["not_applicable", "not_applicable", "ok"]
    assert [reward.total for reward in rewards] == [1.0, 1.0, 3.0, 0.0]


def test_a_lost_sample_is_still_not_applicable_where_the_term_is_not() -> None:
    made = engine(dear={"scorer": "Recorder"}, other={"scorer": "Recorder", "when": "prompt.tags"})
    assert codes(made.score([group(LOST)])[0]["other"]) == ["not_applicable"]


def test_a_classifier_is_asked_once_per_prompt_and_its_failure_is_missing() -> None:
    terms = {
        name: {"scorer": f"{__name__}:Recorder", "weight": 1.0, "when": f"labels.kind == '{name}'"}
        for name in ("draw", "paint")
    }
    kind = {"kind": f"{__name__}:FlakyClassifier"}
    made = RewardEngine(load_reward({"terms": terms, "classifiers": {"kind": kind, "unused": kind}}))
    painter = Prompt("p", "paint a rose")
    first = made.score([group("a", OWN, prompt=painter)])[0]
    assert codes(first["draw"]) == ["classifier_failed", "syntax_error"]
    assert codes(first["paint"]) == [None, "syntax_error"]
    failure = first["draw"][0].failure
    assert failure is not None
    assert (failure.fault, "ConnectionError: no route" in failure.message) == ("system", True)
    for _ in range(3):
        again = made.score([group("a", prompt=painter), group("b")])
    assert codes(again[0]["draw"]) == codes(again[1]["paint"]) == ["not_applicable"]
    assert codes(again[0]["paint"]) == codes(again[1]["draw"]) == [None]
    asked = made.classifiers["kind"]
    assert isinstance(asked, FlakyClassifier)
    assert sorted(asked.asked) == ["p", "p", "peach-hibiscus"]
    assert made.identities()["classifier kind"] == f"{__name__}:FlakyClassifier 3"


def test_a_classifier_that_cannot_be_built_names_its_key() -> None:
    term = {"scorer": f"{__name__}:Recorder", "weight": 1.0, "when": "labels.kind == 'x'"}
    for spec, message in (
        ({"kind": "keyword"}, "no classifier is called 'keyword'. Did you mean 'keywords'"),
        ({"kind": "keywords"}, r"reward\.classifiers\.kind\.labels: 'keywords' needs it"),
    ):
        with pytest.raises(RecipeError, match=message):
            RewardEngine(load_reward({"terms": {"t": term}, "classifiers": {"kind": spec}}))


def test_no_groups_no_scores() -> None:
    assert engine(dear={"scorer": "Recorder"}).score([]) == []


@pytest.mark.parametrize(
    ("term", "message"),
    [
        ({"scorer": "lenght"}, "Did you mean 'length'"),
        ({"scorer": "length", "args": {"max_token": 3}}, r"reward.terms.t.args.max_token: .*'max_tokens'"),
        ({"scorer": "length"}, r"reward.terms.t.args.max_tokens: 'length' needs it"),
        ({"scorer": "rendered", "args": {"x": 1}}, "It takes none"),
        ({"scorer": "pairwise"}, "needs `judge:"),
        ({"scorer": "rendered", "judge": "j"}, "asks no judge"),
        ({"scorer": "no_such_module:Thing"}, "no module 'no_such_module'"),
        ({"scorer": f"{__name__}:Recoder"}, "Did you mean 'Recorder'"),
    ],
)
def test_a_part_that_cannot_be_built_names_its_key(term: dict[str, Any], message: str) -> None:
    recipe = load_reward({"terms": {"t": {**term, "weight": 1}}, "judges": {"j": {"kind": "fake"}}})
    with pytest.raises(RecipeError, match=message):
        RewardEngine(recipe)


def test_a_judge_gets_its_arguments_and_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    written = {
        "terms": {"t": {"scorer": f"{__name__}:Asks", "weight": 1, "judge": "j"}},
        "judges": {"j": {"kind": "fake", "always": "${SALON_TEST_SIDE}"}},
    }
    recipe = load_reward(written)
    with pytest.raises(RecipeError, match=r"reward.judges.j.always: .*SALON_TEST_SIDE is not set"):
        RewardEngine(recipe)
    monkeypatch.setenv("SALON_TEST_SIDE", "a")
    assert "always=a" in RewardEngine(recipe).identities()["judge j"]
    assert "SALON_TEST_SIDE" in recipe.model_dump_json()


class Asks:
    version = "1"

    def __init__(self, judge: Any) -> None:
        self.judge = judge

    def score(self, group: Group) -> list[Score]:
        return [Score(1.0) for _ in group.samples]
