"""What a judge reads: declared, handed on over the wire, refused by name, and put to the test."""

import json
import random
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from chatserver import GOOD, served
from painted import paint, picture_of
from salon.errors import RecipeError, StageError
from salon.judges.council import Council
from salon.judges.fake import FakeJudge
from salon.judges.inputs_read import guided, reads_of
from salon.judges.learned.taste import TasteJudge
from salon.judges.measuring.probe import Case, blots, criteria_problems, probe_judge
from salon.judges.pixel_judge import PixelJudge, clauses_of, measures_of
from salon.judges.source_image import judge_of_edits
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.judges.vlm.rational import RationalJudge
from salon.llm.image_encoder import ImageEncoder
from salon.rewards.preflight.recipe_check import dry_run
from salon.rewards.recipe import load_reward
from salon.rubrics.generation.verify import BlindVerifier
from salon.scorers.base_comparison import CRITERIA as CRITERIA_OF_DRIFT
from salon.scorers.base_comparison import BaseModelComparison
from salon.serving.judge_instructions import criteria_in
from salon.serving.judge_server import ALWAYS_READ, JudgeServer
from salon.types import Answer, Failure, Judge, Picture, Prompt, Verdict

ROSE = Prompt("rose", "draw a rose")
LOVE, NOPE = picture_of(paint("love", 5)), picture_of(paint("nope", 5))
PAPER = picture_of(Image.new("RGB", (160, 160), "white"))
CASES = [Case(ROSE, LOVE, PAPER)]
ELEPHANT = "A purple elephant that smells of lemon."


def at(server: Any, **options: Any) -> OpenAIJudge:
    return OpenAIJudge("eye", server.url, **{"deadline_s": 20.0, "backoff_s": 0.0, "cache": False} | options)


@pytest.fixture(scope="module")
def taste() -> Iterator[JudgeServer]:
    with served(JudgeServer(TasteJudge.load())) as server:
        yield server


@pytest.fixture(scope="module")
def pixels() -> Iterator[JudgeServer]:
    with served(JudgeServer(PixelJudge())) as server:
        yield server


# ---- declared --------------------------------------------------------------------------------------------


def test_judges_declare_what_they_read() -> None:
    assert reads_of(TasteJudge.load()) == frozenset()
    assert reads_of(PixelJudge()) == {"criterion", "question"}
    vlm = OpenAIJudge("eye", "http://127.0.0.1:1/v1", cache=False)
    assert reads_of(vlm) == {"prompt", "criterion", "question"}
    editor = OpenAIJudge("eye", "http://127.0.0.1:1/v1", cache=False, before="source")
    assert reads_of(editor) == {"prompt", "criterion", "question", "source_image"}
    assert reads_of(RationalJudge("rr", "http://127.0.0.1:1/v1", cache=False)) == {"prompt"}
    assert reads_of(Council([PixelJudge(), FakeJudge()])) == {"question"}
    assert reads_of(Council([vlm, TasteJudge.load()])) == frozenset()

    class Own:
        identity = "own"

        def compare(self, prompt: Any, pairs: Any) -> Any: ...

        def with_criteria(self, criteria: str) -> Any: ...

    assert reads_of(Own()) == {"prompt", "criterion"}
    assert judge_of_edits(Own()) is None
    for wrong in ({"smells"}, "prompt", 3):
        own = Own()
        own.reads = wrong  # type: ignore[attr-defined]
        with pytest.raises(RecipeError, match="own: reads: is a set of prompt, criterion"):
            reads_of(own)


def test_a_server_says_what_its_judge_reads(taste: JudgeServer, pixels: JudgeServer) -> None:
    assert at(taste).declared() == frozenset()
    assert at(pixels).declared() == {"criterion", "question"}
    with served() as scripted:
        assert at(scripted).declared() is None
    assert at(scripted).declared() is None


# ---- refused by name -------------------------------------------------------------------------------------


def test_what_cannot_be_read_is_refused_by_name_over_the_wire(taste: JudgeServer) -> None:
    judge = at(taste)
    assert isinstance(judge.compare(ROSE, [(LOVE, NOPE)])[0], Verdict)
    found = judge.with_criteria(ELEPHANT).compare(ROSE, [(LOVE, NOPE)])[0]
    assert isinstance(found, Failure)
    assert (found.code, found.fault) == ("cannot_read", "system")
    assert "HTTP 400" in found.message
    assert "purple elephant that smells of lemon" in found.message
    asked = judge.answer(ROSE, LOVE, ["Is there an elephant?"])[0]
    assert isinstance(asked, Failure)
    assert (asked.code, "Is there an elephant?" in asked.message) == ("cannot_read", True)


def test_a_refusal_is_asked_once_and_costs_no_wish(taste: JudgeServer) -> None:
    judge = at(taste, attempts=4)
    before = judge.server.spent.calls
    judge.with_criteria(ELEPHANT).compare(ROSE, [(LOVE, NOPE)])
    assert judge.server.spent.calls == before + 1
    verdict = judge.compare(ROSE, [(LOVE, NOPE)])[0]
    assert isinstance(verdict, Verdict)
    assert 0 < verdict.p_a < 1  # log-probabilities are still asked for


def post(server: JudgeServer, *said: str, system: str = "") -> tuple[int, str]:
    """An ordinary client's question about two pictures, in its own words."""
    parts: list[Any] = [{"type": "text", "text": text} for text in said]
    parts += [ImageEncoder().part(LOVE), ImageEncoder().part(NOPE)]
    messages = [{"role": "system", "content": system}] if system else []
    body = {"model": "any", "messages": [*messages, {"role": "user", "content": parts}]}
    request = urllib.request.Request(
        f"{server.url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


FORM = 'Answer with one JSON object: {"winner": "A" | "B" | "tie"}'
PLAIN = [
    ("Compare these two images and tell me which one looks better. Answer with A or B.", ""),
    ("Which one is better, first or second?", ""),
    ("Which of these two images looks nicer?", "You are a helpful assistant."),
    ("A or B?", ""),
    ("Compare", ""),
    ("Which do you like more, the left one or the right one? Do not explain your answer.", ""),
    ("Here are two pictures. Pick the winner and say why.", "You are comparing two images."),
    ("Tell me the better one. Reply with 1 or 2 only, or tie if both are equally good.", ""),
    (FORM, ""),
    (f"Which picture is better? {FORM}", ""),
    (f"Which is better?\n{FORM}", "You are a fair judge."),
    (f"Compare these two pictures. Picture A: Picture B: {FORM}", ""),
    (f"Prompt: a red rose\nWhich image looks better, A or B?\n{FORM}", ""),
]
CRITERIA = [
    (f"Which picture is more purple? {FORM}", "more purple"),
    (f"Prefer soft washes. {FORM}", "soft washes"),
    (f"Which is better? Judge by composition only.\n{FORM}", "composition"),
    (f"Which shows fewer elephants? {FORM}", "elephants"),
    ("Which one is worse, A or B?", "worse"),
    ("Which of these two is a painting?", "a painting"),
    ("Which image looks nicer in blue?", "blue"),
    ("Compare the images. Pick the first.", "first"),
    ("Compare these two images for realism and tell me which one is better. Answer A or B.", "realism"),
]


@pytest.mark.parametrize(("said", "system"), PLAIN)
def test_a_client_that_only_asks_which_is_better_is_answered(
    taste: JudgeServer, said: str, system: str
) -> None:
    status, body = post(taste, said, system=system)
    assert status == 200, body


def test_the_form_that_is_always_answered_is(taste: JudgeServer) -> None:
    form = ALWAYS_READ.partition("'")[2].rstrip("'")
    assert post(taste, form)[0] == 200


@pytest.mark.parametrize(("said", "named"), CRITERIA)
def test_a_client_with_criteria_is_refused(taste: JudgeServer, said: str, named: str) -> None:
    for said_by_system in (False, True):
        given = (FORM, said) if said_by_system else (said, "")
        status, body = post(taste, given[0], system=given[1])
        assert (status, named in body, "cannot_read" in body) == (400, True, True), body
        assert "Which picture is better, A or B?" in body


def test_a_judge_that_reads_goes_by_the_criteria_of_a_request(pixels: JudgeServer) -> None:
    red, blue = blots(8, 2), blots(2, 8)
    for criteria, winner in (("more red", "a"), ("less red", "b"), ("1. More blue.\n2. Less red.", "b")):
        found = at(pixels, criteria=criteria).compare(ROSE, [(red, blue)])[0]
        assert isinstance(found, Verdict)
        assert found.winner == winner
    refused = at(pixels, criteria=ELEPHANT).compare(ROSE, [(red, blue)])[0]
    assert isinstance(refused, Failure)
    assert (refused.code, "elephant" in refused.message) == ("cannot_read", True)
    found = at(pixels).answer(ROSE, red, ["Is there any red?", "Is it green?", "Does it smell?"])
    assert [each.yes if isinstance(each, Answer) else each.code for each in found] == [
        True,
        False,
        "cannot_read",
    ]


def test_comparisons_of_people_are_shown_to_readers_only(taste: JudgeServer) -> None:
    turn = {"role": "assistant", "content": '{"winner": "A"}'}
    example = [{"role": "user", "content": "Example 1."}, turn]
    parts: list[Any] = [{"type": "text", "text": FORM}, ImageEncoder().part(LOVE), ImageEncoder().part(NOPE)]
    body = {"messages": [*example, {"role": "user", "content": parts}]}
    with pytest.raises(StageError, match="comparisons that people made"):
        taste.reply(body)


def test_instructions_are_told_from_words_of_our_own() -> None:
    assert criteria_in("", ["The request was: Prefer soft washes. Be bold.\n\nPicture A:"]) == ""
    assert criteria_in("", ["x" * 60_000]) == "x" * 60_000
    nested = "{" * 20_000 + "}" * 20_000
    assert "soft" in criteria_in("", [f"{nested} Prefer soft washes."])


# ---- refused at the start --------------------------------------------------------------------------------


def drift(url: str, failure: str = "ugly, muddy or broken", kind: str = "openai") -> Any:
    eye = {"kind": kind, "cache": False, "deadline_s": 20, "backoff_s": 0.0}
    eye |= {"model": "eye", "base_url": url}
    terms = {
        "taste": {"scorer": "preference", "judge": "taste", "weight": 1.0, "squash": {"logistic": 4}},
        "drift": {
            "scorer": "base_comparison",
            "role": "veto",
            "vetoes": "taste",
            "judge": "eye",
            "on_missing": "neutral",
            "args": {"failure": failure},
        },
    }
    return load_reward({"terms": terms, "judges": {"eye": eye, "taste": {"kind": "taste"}}})


def test_a_reward_that_needs_criteria_refuses_a_judge_without(
    taste: JudgeServer, pixels: JudgeServer, painted_pool_folder: Path
) -> None:
    pool = str(painted_pool_folder)
    problems = dry_run(drift(taste.url), pool=pool).problems
    assert problems == ("reward.judges.eye: it reads no criteria: it says that it reads none.",)
    assert dry_run(drift(pixels.url, "more red"), pool=pool).problems == ()
    with pytest.raises(RecipeError, match=r"base_comparison: flowers@.* cannot go by criteria"):
        BaseModelComparison(TasteJudge.load(), "ugly")
    with pytest.raises(RecipeError, match=r"base_comparison: .*'ugly, muddy or broken'.*Reword it"):
        guided(PixelJudge(), "ugly, muddy or broken", "base_comparison")


def test_a_judge_with_criteria_of_its_own_must_go_by_them(
    taste: JudgeServer, painted_pool_folder: Path
) -> None:
    result = {"scorer": "pairwise", "judge": "eye", "weight": 1, "args": {"pool": str(painted_pool_folder)}}
    eye = {"kind": "openai", "model": "eye", "base_url": taste.url, "cache": False, "criteria": ELEPHANT}
    recipe = load_reward({"terms": {"result": result}, "judges": {"eye": eye}})
    problems = dry_run(recipe, pool=str(painted_pool_folder)).problems
    assert problems
    assert "cannot_read" in problems[0]


# ---- put to the test -------------------------------------------------------------------------------------


class Claims:
    """A judge of which nothing is true but what a test gives it."""

    identity = "claims"

    def __init__(self, compare: Any = None, answer: Any = None, criteria: str = "") -> None:
        self._how, self._answers, self._criteria = compare, answer, criteria

    def with_criteria(self, criteria: str) -> Judge:
        return Claims(self._how, self._answers, criteria)

    def compare(self, prompt: Prompt, pairs: Any) -> Any:
        return [Verdict(self._how(self._criteria, a, b), "claims") for a, b in pairs]

    def answer(self, prompt: Prompt, picture: Picture, questions: Any) -> Any:
        return [Answer(self._answers(picture, question)) for question in questions]


def colour(a: Picture, b: Picture) -> float:
    return float(measures_of(a)["colour"] > measures_of(b)["colour"])


def by_colour(under_criteria: Any) -> Any:
    """Compares by colour without criteria, and by `under_criteria` with some."""
    return lambda criteria, a, b: under_criteria(criteria, a, b) if criteria else colour(a, b)


def right(criteria: str, a: Picture, b: Picture) -> float:
    return PixelJudge(criteria).compare(ROSE, [(a, b)])[0].p_a  # type: ignore[union-attr]


LIARS = {
    "ignores the criterion": (lambda criteria, a, b: float(a.key < b.key), "does not go by criteria"),
    "goes by one of its own": (lambda criteria, a, b: right("more red", a, b), "does not go by criteria"),
    "never looks": (lambda criteria, a, b: 1.0, "does not look at the pictures"),
    "reads and never looks": (lambda criteria, a, b: float("more" in criteria), "does not"),
    "the wrong way round": (lambda criteria, a, b: 1.0 - right(criteria, a, b), "against the criterion"),
}


@pytest.mark.parametrize("name", LIARS)
def test_who_does_not_go_by_a_criterion_is_not_fit(name: str) -> None:
    under_criteria, told = LIARS[name]
    how = by_colour(under_criteria)
    found = probe_judge(Claims(how), CASES, ["compare"])
    assert len(found.problems) == 1
    assert told in found.problems[0]
    assert found.summary == "refused"
    assert criteria_problems(Claims(how))


def test_a_coin_does_not_pass_and_a_judge_that_errs_now_and_then_does() -> None:
    """Of 100 each: a coin per pair, a coin per question, and judges that are right about nine of ten."""

    def passed(share: float, seed: int, both_orders: bool) -> bool:
        drawn = random.Random(seed)
        errs: dict[Any, bool] = {}

        def compare(criteria: str, a: Picture, b: Picture) -> float:
            key = (criteria, *sorted((a.key, b.key)), both_orders or a.key < b.key)
            wrong = errs.setdefault(key, drawn.random() >= share)
            return abs(right(criteria, a, b) - wrong)

        return not criteria_problems(Claims(compare))

    for both_orders in (True, False):
        assert sum(passed(0.5, seed, both_orders) for seed in range(100)) <= 3
        assert sum(passed(0.9, seed, both_orders) for seed in range(100)) >= 94


def truth(picture: Picture, question: str) -> bool:
    found = PixelJudge().answer(ROSE, picture, [question])[0]
    return isinstance(found, Answer) and found.yes is True


def lies_about_red(picture: Picture, question: str) -> bool:
    return truth(picture, question) != ("red" in question)


def answers_one_question(picture: Picture, question: str) -> bool:
    return truth(picture, "more red than blue" if "red" in question else question)


def answers_without_looking(picture: Picture, question: str) -> bool:
    return question.index("red") < 20 if "red" in question else truth(picture, question)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (answers_one_question, "does not read the question"),
        (answers_without_looking, "does not look"),
        (lies_about_red, "are wrong"),
    ],
)
def test_who_does_not_read_a_question_is_not_fit(answer: Any, told: str) -> None:
    found = probe_judge(Claims(lambda criteria, a, b: 0.5, answer), CASES, ["answer"])
    assert len(found.problems) == 1
    assert told in found.problems[0]


def test_guesses_about_questions_do_not_pass_and_a_judge_that_errs_now_and_then_does() -> None:
    """Of 100 each: a guess per picture, a guess per answer, and judges that are right about nine of ten."""

    def passed(share: float, seed: int, per_picture: bool) -> bool:
        drawn = random.Random(seed)
        errs: dict[Any, bool] = {}

        def answer(picture: Picture, question: str) -> bool:
            if "red" not in question:
                return truth(picture, question)
            key = (picture.key, per_picture or question)
            return truth(picture, question) != errs.setdefault(key, drawn.random() >= share)

        return not probe_judge(Claims(lambda criteria, a, b: 0.5, answer), CASES, ["answer"]).problems

    for per_picture in (True, False):
        assert sum(passed(0.5, seed, per_picture) for seed in range(100)) <= 4
        assert sum(passed(0.9, seed, per_picture) for seed in range(100)) >= 95


def test_a_reader_is_fit_and_a_looker_is_told_what_it_lacks(taste: JudgeServer, pixels: JudgeServer) -> None:
    for judge in (PixelJudge(), at(pixels)):
        found = probe_judge(judge, CASES, needed=False)
        assert (found.problems, found.passed, found.lacks) == (
            (),
            ("compare", "criteria", "answer"),
            ("critique",),
        )
        assert found.summary == "only compare, criteria, answer: it writes no critiques"
    for judge in (TasteJudge.load(), at(taste)):
        found = probe_judge(judge, CASES, needed=False)
        assert (found.problems, found.passed) == ((), ("compare",))
        assert found.summary == (
            "only compare: it reads no criteria, answers no questions, writes no critiques"
        )
        problems = probe_judge(judge, CASES, ["criteria", "answer"]).problems
        assert [each.partition(":")[0] for each in problems] == [
            "it reads no criteria",
            "it answers no questions",
        ]


# ---- asked afresh ----------------------------------------------------------------------------------------


def test_a_check_is_not_answered_from_memory(pixels: JudgeServer, tmp_path: Path) -> None:
    """A good server answered; then nobody does, or somebody who always says A, at the same address."""
    with served() as scripted:
        address = scripted.url

        def judge() -> OpenAIJudge:
            return OpenAIJudge("eye", address, cache=str(tmp_path), deadline_s=2.0, backoff_s=0.0, attempts=2)

        scripted.script = [lambda handler, body: pixels.reply(body)]
        found = probe_judge(judge(), CASES, ["compare", "answer"])
        assert found.problems == ()
        assert found.calls == len(scripted.seen) > 0
        again = probe_judge(judge(), CASES, ["compare", "answer"])
        assert again.calls == found.calls
        scripted.script = [GOOD]
        assert "always says the same" in probe_judge(judge(), CASES, ["compare"]).problems[0]
    dead = probe_judge(judge(), CASES, ["compare"])
    assert "does not answer" in dead.problems[0]
    assert dead.summary == "refused"
    # Outside of a check the kept answers are good.
    assert isinstance(judge().compare(ROSE, [(LOVE, PAPER)])[0], Verdict)


def test_a_dry_run_asks_the_deployment(
    pixels: JudgeServer, painted_pool_folder: Path, tmp_path: Path
) -> None:
    pool = str(painted_pool_folder)
    with served() as scripted:
        result = {
            "scorer": "pairwise",
            "judge": "eye",
            "weight": 1,
            "args": {"pool": pool, "references": 4, "tiers": ["nope"]},
        }
        eye = {"kind": "openai", "model": "eye", "base_url": scripted.url, "cache": str(tmp_path)}
        recipe = load_reward({"terms": {"result": result}, "judges": {"eye": {**eye, "deadline_s": 2.0}}})
        scripted.script = [lambda handler, body: pixels.reply(body)]
        assert dry_run(recipe, pool=pool).problems == ()
        first = len(scripted.seen)
        assert dry_run(recipe, pool=pool).problems == ()
        assert len(scripted.seen) == 2 * first
        scripted.script = [503]
        assert dry_run(recipe, pool=pool).problems
    assert dry_run(recipe, pool=pool).problems


def test_one_that_was_never_asked_is_not_fit() -> None:
    class Remembers(OpenAIJudge):
        """Answers from a memory of its own."""

        def compare(self, prompt: Prompt, pairs: Any) -> Any:
            from salon.llm.usage import Usage, charge

            charge(Usage(questions=len(pairs), cached=len(pairs)))
            return PixelJudge(self.criteria or "more colour").compare(prompt, pairs)

    with served() as scripted:
        found = probe_judge(Remembers("eye", scripted.url, cache=False), CASES, ["compare"])
    assert found.problems == ("not one request was sent, so nothing was tested.",)


# ---- the judge of pixels ---------------------------------------------------------------------------------


def drawn(*boxes: tuple[int, int, int, int], colour: str = "#e01010", paper: str = "white") -> Picture:
    image = Image.new("RGB", (96, 96), paper)
    for box in boxes:
        ImageDraw.Draw(image).rectangle(box, fill=colour)
    return picture_of(image)


ONE, TWO = drawn((20, 30, 70, 60)), drawn((10, 10, 20, 20), (60, 60, 70, 70))
EVEN, ODD = drawn((30, 20, 65, 70)), drawn((0, 20, 35, 70))


@pytest.mark.parametrize(
    ("criteria", "better", "worse"),
    [
        ("more red", ONE, TWO),
        ("less red", TWO, ONE),
        ("more coverage", ONE, TWO),
        ("more shapes", TWO, ONE),
        ("fewer shapes", ONE, TWO),
        ("The picture with more symmetry.", EVEN, ODD),
        ("without symmetry", ODD, EVEN),
        ("darker", drawn(paper="black"), drawn()),
        ("more blue than red", drawn((5, 5, 50, 50), colour="#1020e0"), ONE),
        (CRITERIA_OF_DRIFT.format(failure="red"), ONE, TWO),
    ],
)
def test_pixels_go_by_their_criteria(criteria: str, better: Picture, worse: Picture) -> None:
    judge = PixelJudge(criteria)
    found = judge.compare(ROSE, [(better, worse), (worse, better), (better, better)])
    assert [each.p_a for each in found if isinstance(each, Verdict)] == [1.0, 0.0, 0.5]
    assert judge.identity != PixelJudge().identity


@pytest.mark.parametrize(
    "criteria", [ELEPHANT, "ugly", "more red petals", "", "Which is better?", "Soft edges."]
)
def test_words_outside_of_the_vocabulary_are_refused(criteria: str) -> None:
    with pytest.raises(RecipeError, match=r"criteria: .*It knows .*symmetry"):
        PixelJudge(criteria)
    with pytest.raises(StageError) as caught:
        PixelJudge().with_criteria(criteria)
    assert caught.value.failure.code == "cannot_read"
    assert list(clauses_of("nothing else counts", "x")) == []


def test_pixels_are_right_at_a_declared_rate() -> None:
    judge = PixelJudge("more red", rate=0.8)
    pairs = [(drawn((5, 5, 30 + n, 60)), drawn((5, 5, 20, 10 + n))) for n in range(30)]
    pairs += [(drawn((3, 5, 30 + n, 61)), drawn((5, 7, 20, 10 + n))) for n in range(30)]
    found = [each.p_a for each in judge.compare(ROSE, pairs) if isinstance(each, Verdict)]
    assert 0.65 < sum(found) / len(found) < 0.95
    turned = [
        each.p_a for each in judge.compare(ROSE, [(b, a) for a, b in pairs]) if isinstance(each, Verdict)
    ]
    assert turned == [1 - p for p in found]
    with pytest.raises(RecipeError, match="rate"):
        PixelJudge(rate=1.5)


def test_a_verification_against_a_reader_follows_the_criteria(pixels: JudgeServer) -> None:
    from salon.judges.measuring.labelled_pairs import LabelledPair, PictureBytes

    pair = LabelledPair("p", ROSE, PictureBytes(ONE.png), PictureBytes(TWO.png), "a")
    verifier = BlindVerifier(at(pixels).with_criteria, "pixels")
    assert verifier.verify(pair, ["More red."]).passed
    assert not verifier.verify(pair, ["Less red."]).passed
    with pytest.raises(StageError, match="cannot_read"):
        verifier.verify(pair, [ELEPHANT])
