"""RationalRewards' form: read strictly, over a real server; only what both pictures have decides a pair."""

import re
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from chatserver import ScriptedServer, served
from painted import paint, picture_of
from salon.cli import app
from salon.errors import RecipeError, StageError
from salon.judges.measuring.probe import Case, probe_judge
from salon.judges.vlm.rational import RationalJudge
from salon.judges.vlm.rational_form import Task, decide, parse_pairwise, parse_pointwise
from salon.llm.image_encoder import ImageEncoder
from salon.media import open_medium
from salon.rewards.engine import RewardEngine
from salon.rewards.preflight.startup import Domain, check_reward
from salon.rewards.recipe import load_reward
from salon.scorers.critique import CritiqueScore
from salon.types import Critique, Failure, Group, Picture, Prompt, Sample, Verdict

PROMPT = Prompt("rose", "draw a rose")
A, B = picture_of(paint("love", 1)), picture_of(paint("nope", 1))


def pointwise(text: str = "3.5", quality: str = "2.5", rendering: str = "N/A") -> str:
    return f"""# User Request Analysis
The user wants a rose.
# Detailed Judgement
1. Text Faithfulness:
## Justification: A rose is there. ## Score is not given here: 9
## Score: {text}
2. Physical and Visual Quality:
## Justification: The petals are soft,
but the stem breaks.
## Score: {quality}
3. Text Rendering:
## Justification: No text was asked for.
## Score: {rendering}
# Summary: A soft rose with a broken stem.

# User Request Refinement:
## Refinement Comments: Say how the stem stands.
## Refined Request: Draw a rose on an upright stem.
"""


def pairwise(*scores: tuple[str, str]) -> str:
    titles = ["Text Faithfulness", "Physical and Visual Quality", "Text Rendering"]
    parts = [
        f"{n}. {title}:\n## Justification: so.\n## Score A: {a}\n## Score B: {b}\n## Winner: Image A"
        for n, (title, (a, b)) in enumerate(zip(titles, scores, strict=True), 1)
    ]
    return "\n".join(
        ["# User Request Analysis", "a rose", "# Detailed Judgement", *parts, "# Summary: A is softer."]
    )


def test_a_pointwise_answer_is_read() -> None:
    found = parse_pointwise("<think>## Score: 1</think>" + pointwise())
    assert found.scores == {"text_faithfulness": 3.5, "physical_quality": 2.5, "text_rendering": None}
    assert (found.low, found.high) == (1.0, 4.0)
    assert found.text == "A soft rose with a broken stem."
    assert found.request == "Draw a rose on an upright stem."


def test_bold_titles_and_brackets_are_the_same_form() -> None:
    text = pointwise("[ 3.0 ]", "**4**").replace("1. Text Faithfulness:", "**1. Text Faithfulness**:")
    scores = parse_pointwise(text.replace("2. Phys", "### 2. Phys")).scores
    assert scores == {"text_faithfulness": 3.0, "physical_quality": 4.0, "text_rendering": None}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *[("3.5/4", 3.5), ("3.5 / 4", 3.5), ("3.5/4.0", 3.5), ("**3.5/4**", 3.5), ("4 out of 4", 4.0)],
        *[("4 (Full match)", 4.0), ("4/4 (Full match)", 4.0), ("3.25 (between 3 and 4)", 3.25)],
        *[("3.0 - Minor mismatch", 3.0), ("3: minor flaws", 3.0), ("2.5 – some flaws", 2.5), ("3.", 3.0)],
        *[("4.0 Full match", 4.0), ("[3.5]", 3.5), ("**3.5** (a seam)", 3.5), ("~3.5~", 3.5), ("1", 1.0)],
        *[("N/A", None), ("n/a", None), ("**N/A**", None), ("N/A (no text was asked for)", None)],
        *[("[N/A]", None), ("N/A - no text", None), ("NA", None), ("Not applicable", None), ("N/A.", None)],
    ],
)
def test_the_forms_in_which_a_published_model_writes_a_score(written: str, meant: float | None) -> None:
    """The README of TIGER-AI-Lab/RationalRewards takes the number that a score begins with, and N/A."""
    assert parse_pointwise(pointwise(rendering=written)).scores["text_rendering"] == meant
    a, b, _ = parse_pairwise(pairwise(("3", "2"), ("4", "1"), (written, "2.5")))
    assert (a["text_rendering"], b["text_rendering"]) == (meant, 2.5)


@pytest.mark.parametrize(
    "change",
    [
        ("# Detailed Judgement\n", ""),
        ("1. Text", "1) Text"),
        ("## Score:", "## score:"),
        ("## Score:", "**Score:**"),
        ("## Score:", "- Score:"),
        ("2. Physical and Visual Quality:", "**2. Physical and Visual Quality** (technical errors)"),
    ],
)
def test_headings_that_the_published_parsers_know_are_known(change: tuple[str, str]) -> None:
    found = parse_pointwise(pointwise("3.5/4", "2.5 (Some flaws)").replace(*change))
    assert found.scores == {"text_faithfulness": 3.5, "physical_quality": 2.5, "text_rendering": None}


def test_a_published_template_is_taken_as_it_is(tmp_path: Path) -> None:
    """The README's template for pictures from text says {prompt}; prompts.py says {request}."""
    (tmp_path / "t2i.txt").write_text("User Instruction: {prompt}\n1. Generated Image <image>\nJudge it.")
    (tmp_path / "pair.txt").write_text("Instruction: {request}\nA <image>\nB <image>\n")
    with served() as server:
        server.script = [
            pointwise("3.5/4", "4 (No noticeable flaws)", "N/A"),
            pairwise(*[("3/4", "2/4")] * 3),
        ]
        told = {
            "user": {"file": str(tmp_path / "t2i.txt")},
            "pair_user": {"file": str(tmp_path / "pair.txt")},
        }
        judge = judge_at(server, **told)
        assert isinstance(found := judge.critique(PROMPT, A), Critique)
        assert found.scores == {"text_faithfulness": 3.5, "physical_quality": 4.0, "text_rendering": None}
        assert isinstance(judge.compare(PROMPT, [(A, B)])[0], Verdict)
        asked = [[part.get("text") for part in each["messages"][-1]["content"]] for each in server.seen]
    assert asked[0] == ["User Instruction: draw a rose\n1. Generated Image ", None, "\nJudge it."]
    assert asked[1] == ["Instruction: draw a rose\nA ", None, "\nB ", None]


@pytest.mark.parametrize(
    "score",
    [
        *["8/10", "99", "0.5", "NaN", "inf", "", "good", "3 or 4", "-3", "3,5", "true", "4.01", "1e0"],
        *[
            "3/5",
            "3/40",
            "3/4.5",
            "5/4",
            "3-4",
            "3 – 4",
            "3 to 4",
            "3 -> 4",
            "3 → 4",
            "(3)",
            "3.5.1",
            "33",
            "0",
        ],
        *["4.5 (beyond)", "3 minus 1", "N/A or 4", "N/A: 3", "n", "about 3", "3 4", "3;4"],
    ],
)
def test_what_is_no_score_is_a_failed_judgement(score: str) -> None:
    with pytest.raises(StageError) as caught:
        parse_pointwise(pointwise(quality=score))
    assert (caught.value.failure.code, caught.value.failure.fault) == ("malformed_verdict", "system")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A fine rose. 8/10",
        pointwise().replace("2. Physical and Visual Quality:", ""),
        pointwise().replace("3. Text Rendering:", "2. Physical and Visual Quality:"),
        pointwise().split("2. Phys")[0],
        pointwise().replace("## Score: 2.5", "## Score: 2.5\n## Score: 3"),
        "<think>" + pointwise(),
        pointwise() + "x" * 50_000,
        "1. Text Faithfulness:" + "\n" * 39_000,
    ],
    ids=range(9),
)
def test_another_form_is_a_failed_judgement(text: str) -> None:
    with pytest.raises(StageError, match="malformed_verdict"):
        parse_pointwise(text)


def test_only_aspects_that_both_have_decide() -> None:
    a, b, summary = parse_pairwise(pairwise(("3", "2"), ("3", "3"), ("N/A", "4")))
    assert summary == "A is softer."
    assert decide(a, b) == 1.0
    assert decide({"x": 3.0, "y": None}, {"x": 3.0, "y": 1.0}) == 0.5
    assert decide({"x": 2.0, "y": 4.0}, {"x": 3.0, "y": 3.5}) == 0.0
    nothing = decide({"x": None, "y": 3.0}, {"x": 2.0, "y": None})
    assert isinstance(nothing, Failure)
    assert (nothing.code, nothing.fault) == ("no_shared_aspect", "system")


def judge_at(server: ScriptedServer, **options: Any) -> RationalJudge:
    options = {"deadline_s": 3.0, "backoff_s": 0.01, "cache": False, "attempts": 2} | options
    return RationalJudge("rr", server.url, **options)


def test_the_reward_is_the_mean_less_one_over_three() -> None:
    with served() as server:
        server.script = [pointwise("4", "2.5", "N/A")]
        sample = Sample("s", PROMPT, "", picture=A)
        score = CritiqueScore(judge_at(server)).score(Group(PROMPT, (sample,)))[0]
        assert score.value == pytest.approx((3.25 - 1) / 3)
        told = server.seen[0]["messages"][1]["content"]
        assert "# Detailed Judgement" in told[-1]["text"]
        assert "## Refined Request" in told[-1]["text"]
        assert "draw a rose" in told[0]["text"]


def test_a_pair_over_the_wire_and_a_failure_that_is_never_a_loss() -> None:
    with served() as server:
        server.script = [pairwise(("3", "2"), ("4", "3"), ("N/A", "N/A")), "I like A"]
        judge = judge_at(server)
        first = judge.compare(PROMPT, [(A, B)])[0]
        assert first == Verdict(1.0, judge.identity, "A is softer.")
        assert "## Score A:" in server.seen[0]["messages"][1]["content"][-1]["text"]
        second = judge.compare(PROMPT, [(B, A)])[0]
        assert isinstance(second, Failure)
        assert judge.critique(PROMPT, A) == second
        assert isinstance(judge.compare(PROMPT, [(A, A)])[0], Verdict)


def test_a_critique_is_kept(tmp_path: Any) -> None:
    with served() as server:
        server.script = [pointwise()]
        found = [judge_at(server, cache=str(tmp_path)).critique(PROMPT, A) for _ in range(2)]
        assert found[0] == found[1]
        assert isinstance(found[0], Critique)
        assert len(server.seen) == 1


# ---- edits -----------------------------------------------------------------------------------------------

T2I = ("Text Faithfulness", "Physical and Visual Quality", "Text Rendering")
EDIT = (T2I[0], "Image Faithfulness", *T2I[1:])


def published(titles: Sequence[str], scores: Sequence[str], score_first: bool = False) -> str:
    """A pointwise answer as the published templates ask for it; one of them has the score above its
    justification and no heading for the analysis.
    """
    parts = ["The user wants warmer light." if score_first else "# User Request Analysis\nWarmer light."]
    parts.append("# Detailed Judgement")
    for number, (title, score) in enumerate(zip(titles, scores, strict=True), 1):
        lines = ["## Justification: The light is warm now; one seam is left.", f"## Score: {score}"]
        parts += [f"{number}. {title}:", *(reversed(lines) if score_first else lines)]
    parts += ["# Summary: Warm, with a seam.", "", "# User Request Refinement:"]
    parts += ["## Refinement Comments: Name the seam.", "## Refined Request: Warm the light, without a seam."]
    return "\n".join(parts)


def published_pair(titles: Sequence[str], scores: Sequence[tuple[str, str]]) -> str:
    parts = ["# User Request Analysis", "Warmer light.", "# Detailed Judgement"]
    for number, (title, (a, b)) in enumerate(zip(titles, scores, strict=True), 1):
        winner = "N/A" if "N/A" in (a, b) else "It's a tie" if a == b else "Image A" if a > b else "Image B"
        parts += [f"{number}. {title}:", "## Justification: Both are warm."]
        parts += [f"## Score A: {a}", f"## Score B: {b}", f"## Winner: {winner}"]
    return "\n".join([*parts, "# Summary: One is warmer."])


@pytest.mark.parametrize("score_first", [False, True])
@pytest.mark.parametrize(
    ("task", "titles", "scores", "reward"),
    [
        ("t2i", T2I, ("3.5", "2.5", "N/A"), (3.0 - 1) / 3),
        ("edit", EDIT, ("4.0", "3.0", "2.0", "N/A"), (3.0 - 1) / 3),
        ("edit", EDIT, ("4", "1", "2.5", "3.5"), (2.75 - 1) / 3),
        ("edit", EDIT, ("1.0", "1.0", "1.0", "N/A (no text was asked for)"), 0.0),
    ],
)
def test_published_answers_about_one_picture(
    task: Task, titles: Sequence[str], scores: Sequence[str], reward: float, score_first: bool, tmp_path: Path
) -> None:
    said = published(titles, scores, score_first)
    found = parse_pointwise(said, task)
    wanted = [None if score.startswith("N/A") else float(score) for score in scores]
    assert list(found.scores.values()) == wanted
    assert ("image_faithfulness" in found.scores) == (task == "edit")
    assert found.request == "Warm the light, without a seam."
    with served() as server:
        server.script = [said]
        prompt = from_picture(tmp_path, B)
        group = Group(prompt, (Sample("s", prompt, "", picture=A),))
        score = CritiqueScore(judge_at(server, task=task)).score(group)[0]
        assert score.value == pytest.approx(reward)


@pytest.mark.parametrize(
    ("task", "titles", "scores", "p_a"),
    [
        ("t2i", T2I, [("3", "3.5"), ("2", "2"), ("N/A", "4")], 0.0),
        ("t2i", T2I, [("3", "3"), ("2", "2"), ("N/A", "1")], 0.5),
        ("edit", EDIT, [("3", "3"), ("4", "2"), ("3", "3.5"), ("N/A", "N/A")], 1.0),
        # With 2.5 in place of N/A, A would win by its text alone.
        ("edit", EDIT, [("3", "3"), ("2", "2.2"), ("3", "3"), ("4", "N/A")], 0.0),
    ],
)
def test_published_answers_about_two_pictures(
    task: Task, titles: Sequence[str], scores: Sequence[tuple[str, str]], p_a: float, tmp_path: Path
) -> None:
    with served() as server:
        server.script = [published_pair(titles, scores)]
        judge = judge_at(server, task=task)
        found = judge.compare(from_picture(tmp_path, picture_of(paint("okay", 1))), [(A, B)])[0]
        assert isinstance(found, Verdict)
        assert found.p_a == p_a


def test_the_aspects_of_the_other_task_are_a_failed_judgement() -> None:
    with pytest.raises(StageError, match=r"malformed_verdict.*Image Faithfulness"):
        parse_pointwise(published(EDIT, ("4", "3", "2", "N/A")), "t2i")
    with pytest.raises(StageError, match="malformed_verdict"):
        parse_pointwise(published(T2I, ("4", "3", "2")), "edit")
    with pytest.raises(StageError, match="malformed_verdict"):
        parse_pairwise(published_pair(T2I, [("4", "3")] * 3), "edit")


def from_picture(folder: Path, before: Picture, key: str = "source") -> Prompt:
    """A prompt that says which picture was edited."""
    file = folder / "before.png"
    file.write_bytes(before.png)
    return Prompt("warm", "make the light warmer", meta={key: str(file)})


def shown_by(request: dict[str, Any]) -> list[str]:
    """The parts of a question: its texts, and a mark for each picture."""
    content = request["messages"][-1]["content"]
    return [part["text"] if part["type"] == "text" else part["image_url"]["url"] for part in content]


def test_an_edit_is_shown_with_the_picture_before(tmp_path: Path) -> None:
    before = picture_of(paint("okay", 1))
    with served() as server:
        server.script = [
            published(EDIT, ("4", "3", "2", "N/A")),
            published_pair(EDIT, [("3", "2")] * 4),
        ]
        judge = judge_at(server, task="edit", before="photo")
        prompt = from_picture(tmp_path, before, "photo")
        assert isinstance(judge.critique(prompt, A), Critique)
        assert judge.compare(prompt, [(A, B)])[0] == Verdict(1.0, judge.identity, "One is warmer.")
        one, two = (shown_by(request) for request in server.seen)
        url = ImageEncoder(1024).url
        assert [part for part in one if part.startswith("data:")] == [url(before), url(A)]
        assert [part for part in two if part.startswith("data:")] == [url(before), url(A), url(B)]
        assert "make the light warmer" in one[0]
        assert one[0].endswith("1. Source Image ")
        assert "2. Image Faithfulness:" in one[-1]
        assert "four aspects" in one[-1]


def test_an_edit_without_the_picture_before_is_never_judged(tmp_path: Path) -> None:
    with served() as server:
        judge = judge_at(server, task="edit")
        gone = Prompt("warm", "warmer", meta={"source": str(tmp_path / "no.png")})
        for prompt in (PROMPT, gone):
            for found in (judge.critique(prompt, A), *judge.compare(prompt, [(A, B), (B, A)])):
                assert isinstance(found, Failure)
                assert (found.code, found.fault) == ("no_picture_before", "system")
            score = CritiqueScore(judge).score(Group(prompt, (Sample("s", prompt, "", picture=A),)))[0]
            assert score.value is None
        assert server.seen == []


def test_an_edit_of_another_picture_is_another_question(tmp_path: Path) -> None:
    with served() as server:
        server.script = [published(EDIT, ("4", "3", "2", "N/A")), published(EDIT, ("1", "1", "1", "N/A"))]
        judge = judge_at(server, task="edit", cache=str(tmp_path / "kept"))
        first = judge.critique_edit(PROMPT, A, B)
        assert judge.critique_edit(PROMPT, A, B) == first
        other = judge.critique_edit(PROMPT, A, picture_of(paint("okay", 1)))
        assert isinstance(other, Critique)
        assert other != first
        assert len(server.seen) == 2


def test_the_words_are_settable_and_part_of_the_identity(tmp_path: Path) -> None:
    """A template in the published manner: the request and the pictures in their places."""
    template = tmp_path / "user.txt"
    template.write_text(
        "User Instruction: {request}\n1. Source Image <image>\n2. Edited Image <image>\nScore."
    )
    with served() as server:
        server.script = [published(EDIT, ("4", "3", "2", "N/A"))]
        asked = {"system": "You know edits.", "user": {"file": str(template)}, "task": "edit"}
        judge = judge_at(server, **asked)
        prompt = Prompt("x", "turn <image> into {request}")
        assert isinstance(judge.critique_edit(prompt, A, B), Critique)
        url = ImageEncoder(1024).url
        assert server.seen[0]["messages"][0] == {"role": "system", "content": "You know edits."}
        assert shown_by(server.seen[0]) == [
            "User Instruction: turn <image> into {request}\n1. Source Image ",
            url(B),
            "\n2. Edited Image ",
            url(A),
            "\nScore.",
        ]
        silent = judge_at(server, **{**asked, "system": ""})
        assert isinstance(silent.critique_edit(prompt, A, B), Critique)
        assert [message["role"] for message in server.seen[1]["messages"]] == ["user"]
        identities = {judge.identity, silent.identity, judge_at(server).identity}
        identities |= {judge_at(server, task="edit").identity}
        identities |= {judge_at(server, pair_system="Look twice.").identity}
        assert len(identities) == 5


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"user": "Score {request}."}, "user: has 0 times <image>, and 1 pictures"),
        ({"user": "{request} <image>", "task": "edit"}, "user: has 1 times <image>, and 2 pictures"),
        ({"pair_user": "{request} <image> <image>", "task": "edit"}, "pair_user: has 2 times"),
        ({"user": "<image>"}, "user: there is no {request}"),
        ({"user": {"file": "nowhere.txt"}}, "nowhere.txt"),
        ({"task": "t2v"}, "task: is t2i or edit"),
    ],
)
def test_words_that_cannot_be_used_are_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(RecipeError, match=re.escape(told)):
        RationalJudge("rr", "http://127.0.0.1:1/v1", **options)


def test_a_critique_that_was_cut_short_is_no_critique() -> None:
    whole = published(T2I, ("4", "3", "3.5"))
    part = whole.split("# User Request Refinement")[0]
    for text, ended, is_read in ((part, "length", False), (whole, "length", False), (part, "stop", True)):
        with served() as server:
            message = {"message": {"role": "assistant", "content": text}, "finish_reason": ended}
            server.script = [{"choices": [message], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}]
            found = judge_at(server, attempts=1).critique(PROMPT, A)
            assert isinstance(found, Critique) == is_read


def test_the_probe_lets_a_judge_of_edits_see_a_picture_before() -> None:
    case = Case(PROMPT, A, B)

    def by_place(handler: Any, body: Any) -> str:
        pictures = [part for part in shown_by(body) if part.startswith("data:")]
        good, before = ImageEncoder(1024).url(A), ImageEncoder(1024).url(B)
        assert pictures[0] == before
        if len(pictures) == 2:
            return published(EDIT, ("4", "4", "4", "N/A") if pictures[1] == good else ("1", "4", "4", "N/A"))
        scores = ("4", "1") if pictures[1] == good else ("1", "4")
        return published_pair(EDIT, [scores] * 4)

    with served() as server:
        server.script = [by_place]
        found = probe_judge(judge_at(server, task="edit"), [case], needed=False)
        assert found.problems == ()
        assert (found.passed, found.lacks) == (("compare", "critique"), ("criteria", "answer"))
        assert len(found.lines) == 4
        assert len(server.seen) == 4


def test_an_edit_is_judged_from_the_shell(tmp_path: Path) -> None:
    for name, picture in (("before", B), ("after", A)):
        (tmp_path / f"{name}.png").write_bytes(picture.png)
    with served() as server:
        server.script = [published(EDIT, ("4", "3", "2", "N/A"))]
        asked = ["judge", "critique", str(tmp_path / "after.png"), "-p", "warmer", "--judge", "rational"]
        asked += ["--model", "rr", "--base-url", server.url, "--set", "task=edit", "--set", "cache=false"]
        lost = CliRunner().invoke(app, asked)
        assert lost.exit_code == 1
        assert "no_picture_before" in lost.output
        found = CliRunner().invoke(app, [*asked, "--before", str(tmp_path / "before.png")])
        assert found.exit_code == 0
        assert "image_faithfulness: 3 of 4" in found.output


def test_a_run_of_edits_starts_with_a_judge_of_edits(tmp_path: Path) -> None:
    """The start-up check knows no edit: it shows one of its own, and its terms the run's own prompts."""
    before: set[str] = set()

    def step(handler: Any, body: Any) -> str:
        source, shown = [part for part in shown_by(body) if part.startswith("data:")]
        before.add(source)
        # Blank paper takes few bytes.
        return published(EDIT, ("4" if len(shown) > 2000 else "1", "3", "3", "N/A"))

    with served() as server:
        server.script = [step]
        judge = {"kind": "rational", "model": "rr", "base_url": server.url, "task": "edit", "cache": False}
        term = {"scorer": "critique", "judge": "editor", "weight": 1.0}
        engine = RewardEngine(load_reward({"terms": {"edit": term}, "judges": {"editor": judge}}))
        prompt = from_picture(tmp_path, picture_of(paint("okay", 1)))
        with closing(open_medium("svg")) as medium:
            assert check_reward(engine, Domain([prompt], medium)) is None
            assert ImageEncoder(1024).url(picture_of(paint("okay", 1))) in before
            with pytest.raises(RecipeError, match="no_picture_before"):
                check_reward(engine, Domain([PROMPT], medium))
