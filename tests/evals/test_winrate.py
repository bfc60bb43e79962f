"""Win rates: both orders, failures on either side, and a whole evaluation of a tiny run."""

from pathlib import Path

import pytest

from salon.errors import RecipeError, StoreError
from salon.evals.winrate import Pair, PairResult, evaluate, is_evaluated, judge_pairs, summarize
from salon.judges.fake import FakeJudge
from salon.media.fake import FakeMedium
from salon.store.runs import Run
from salon.types import Critique, Failure, Picture, Prompt, Rendering, Sample

OWN = Failure("blank_canvas", "nothing on it", "sample", "render")
LOST = Failure("browser_lost", "it is gone", "system", "render")


def made(source: str, prompt: str = "p", failure: Failure | None = None) -> Sample:
    rendering = FakeMedium().render([source], [0])[0] if failure is None else Rendering(None, failure)
    return Sample(source, Prompt(prompt, f"draw {prompt}"), source, source, rendering.picture, failure)


GREY, RED = made("grey grey"), made("red red")


def test_the_better_picture_wins_in_both_orders() -> None:
    results = judge_pairs(FakeJudge(), [Pair(GREY, RED), Pair(RED, GREY), Pair(RED, RED)])
    assert [result.outcome for result in results] == [1.0, 0.0, 0.5]
    assert results[0].p_win == pytest.approx(1 - results[1].p_win)  # type: ignore[operator]
    assert not any(result.is_flip for result in results)


def test_a_judge_that_always_names_the_first_decides_nothing() -> None:
    results = judge_pairs(FakeJudge(always="a"), [Pair(GREY, RED), Pair(RED, GREY)])
    assert [(result.outcome, result.is_flip) for result in results] == [(0.5, True), (0.5, True)]


def test_failures_lose_tie_or_leave() -> None:
    pairs = [
        Pair(made("x", failure=OWN), RED),
        Pair(RED, made("x", failure=OWN)),
        Pair(made("x", failure=OWN), made("y", failure=OWN)),
        Pair(made("x", failure=LOST), RED),
        Pair(made("x", failure=OWN), made("y", failure=LOST)),
    ]
    judge = FakeJudge()
    results = judge_pairs(judge, pairs)
    assert judge.asked == 0
    assert [result.outcome for result in results] == [1.0, 0.0, 0.5, None, None]
    summary = summarize(results)
    assert (summary["n"], summary["excluded"], summary["wins"], summary["losses"], summary["ties"]) == (
        3,
        2,
        1,
        1,
        1,
    )
    assert summary["win_rate"] == 0.5
    assert summary["base_render_share"] == 0.25
    assert summary["trained_render_share"] == 0.5


def test_a_judge_that_fails_leaves_the_pair_out() -> None:
    results = judge_pairs(FakeJudge(fail_every=3), [Pair(GREY, RED), Pair(GREY, RED), Pair(RED, GREY)])
    assert [result.outcome for result in results] == [1.0, None, None]


def test_nothing_to_count_is_no_rate() -> None:
    summary = summarize([PairResult(Pair(made("x", failure=LOST), RED), None)])
    assert (summary["n"], summary["win_rate"], summary["win_rate_low"], summary["excluded"]) == (
        0,
        None,
        None,
        1,
    )


@pytest.mark.torch
def test_an_evaluation_of_an_untrained_policy_is_a_tie(tmp_path: Path) -> None:
    """Base and trained are the same weights here: with equal seeds they write the same, and nobody wins."""
    from rich.console import Console

    from tinyrun import save_tiny_policy, tiny_recipe

    base = save_tiny_policy(tmp_path / "base")
    recipe = tiny_recipe(base, tmp_path / "run")
    beside = {"out": recipe.out, "evaluate": recipe.evaluate.model_dump(mode="json")}
    run = Run.create(recipe.out, {"recipe": recipe.identity(), "kept_beside": beside})
    with pytest.raises(StoreError, match="no trained policy yet"):
        evaluate(run, Console(quiet=True))
    save_tiny_policy(run.path / "policy")
    summaries = evaluate(run, Console(quiet=True), pairs=5)
    assert list(summaries) == ["winrate-fake-5"]
    rows = run.evaluation_rows("winrate-fake-5")
    assert rows["base_reply"].to_list() == rows["trained_reply"].to_list()
    assert rows["prompt_id"].to_list() == ["pink-rose", "white-rose", "pink-rose", "white-rose", "pink-rose"]
    assert rows["seed"].n_unique() == 5
    summary = run.evaluations()["winrate-fake-5"]
    assert (summary["n"], summary["ties"], summary["win_rate"]) == (5, 5, 0.5)
    assert not is_evaluated(run)
    evaluate(run, Console(quiet=True))
    assert is_evaluated(run)
    assert run.picture_path(rows["base_picture"].drop_nulls()[0]).is_file()


def test_an_unknown_judge_is_named(tmp_path: Path) -> None:
    from salon.evals.winrate import judges_of
    from salon.recipe import RunRecipe
    from tinyrun import tiny_mapping

    plan = RunRecipe.model_validate(tiny_mapping(tmp_path, tmp_path) | {"evaluate": {"judges": ["nobody"]}})
    with pytest.raises(RecipeError, match=r"evaluate\.judges: .*nobody"):
        judges_of(plan)


class Talker:
    """A judge that criticises and does not compare."""

    identity = "talker"

    def critique(self, prompt: Prompt, picture: Picture) -> Critique:
        return Critique({"form": 3.0}, 0, 10)


def test_a_judge_that_only_criticises_is_left_out(tmp_path: Path) -> None:
    from salon.evals.winrate import judges_of
    from salon.recipe import RunRecipe
    from tinyrun import tiny_mapping

    content = tiny_mapping(tmp_path, tmp_path / "run")
    content["evaluate"] = {"judges": ["training", "fake"]}
    content["reward"] = {
        "terms": {
            "form": {"scorer": "critique", "judge": "talker", "weight": 1, "args": {"aspects": ["form"]}}
        },
        "judges": {"talker": {"kind": "test_winrate:Talker"}},
    }
    assert list(judges_of(RunRecipe.model_validate(content))) == ["fake"]
    content["evaluate"] = {"judges": ["training"]}
    with pytest.raises(RecipeError, match="no judge of the reward compares"):
        judges_of(RunRecipe.model_validate(content))
