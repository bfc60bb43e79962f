"""The composed reward: one process or two, the same numbers; what the system failed is None."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from chatserver import served
from salon.errors import StageError
from salon.judges.fake import FakeJudge
from salon.media.fake import FakeMedium
from salon.media.render_cache import CachedMedium
from salon.rewards.engine import RewardEngine
from salon.rewards.estimator import Grpo
from salon.rewards.recipe import RewardRecipe, load_reward
from salon.serving.judge_server import JudgeServer
from salon.store.runs import Run
from salon.training.reward_function import Judged, RewardContext, reward_function
from salon.training.step_log import StepLog, step_metrics
from salon.types import Group, Picture, Prompt, Rendering, Reward, Sample, TermValue

PROMPTS = {name: Prompt(name, f"draw a {name}") for name in ("rose", "iris", "lily")}
REPLIES = ["aaxx", "axxx", "eeee", "broken", "xxxx", "aexx", "eaei", "uxxx"]
VOWELS: dict[str, Any] = {"terms": {"vowels": {"scorer": "tinyrun:Vowels", "weight": 1.0}}}


class Lost(FakeMedium):
    def render(self, sources: Sequence[str], seeds: Sequence[int]) -> list[Rendering]:
        raise ConnectionError("the browser is gone")


def context(folder: Path, reward: dict[str, Any] = VOWELS, **changes: Any) -> RewardContext:
    recipe = load_reward(reward)
    run = Run.open(folder) if Run.exists(folder) else Run.create(folder, {"recipe": {}})
    settings: dict[str, Any] = {
        "medium": FakeMedium((16, 16)),
        "engine": RewardEngine(recipe),
        "reward": recipe,
        "run": run,
        "group_size": 4,
        "estimator": Grpo(),
        "seed": 0,
        "eos_ids": frozenset({1}),
        "max_new_tokens": 4,
    }
    return RewardContext(prompts=PROMPTS, **(settings | changes))


def ask(of: RewardContext, replies: Sequence[str], first: int = 0) -> tuple[list[float | None], Judged]:
    """Call the reward as TRL does, for the rows from `first` on of two groups of four."""
    rows = range(first, first + len(replies))
    judged: list[Judged] = []
    of.on_judged = judged.append
    totals = reward_function(of)(
        prompts=["" for _ in rows],
        completions=list(replies),
        completion_ids=[[5, 5, 5, 1] for _ in rows],
        prompt_id=[("rose", "iris", "lily")[row // 4] for row in rows],
        step=[3 for _ in rows],
        slot=[row // 4 for row in rows],
        log_extra=lambda name, values: None,
        log_metric=lambda name, value: None,
        trainer_state=None,
    )
    return totals, judged[0]


def rewards_of(judged: Judged) -> list[Reward]:
    return [reward for row in judged.rewards for reward in row]


def test_totals_advantages_and_what_is_recorded(tmp_path: Path) -> None:
    totals, judged = ask(context(tmp_path), REPLIES)
    assert totals == [0.5, 0.25, 1.0, 0.0, 0.0, 0.5, 1.0, 0.25]
    assert [r.advantage for r in rewards_of(judged)] == [
        0.0625,
        -0.1875,
        0.5625,
        -0.4375,
        -0.4375,
        0.0625,
        0.5625,
        -0.1875,
    ]
    samples = [sample for group in judged.groups for sample in group.samples]
    assert [sample.id for sample in samples[:5]] == [
        *(f"s000003-g00-{k:02d}" for k in range(4)),
        "s000003-g01-00",
    ]
    assert len({group.seed for group in judged.groups}) == 2
    assert {sample.seed for sample in judged.groups[0].samples} == {samples[0].seed}
    picture = samples[0].picture
    assert picture is not None
    assert (tmp_path / "pictures" / picture.key[:2] / f"{picture.key}.png").is_file()


EVERYTHING: dict[str, Any] = {
    "compose": {"standardize": "group"},
    "advantage": {"kind": "gdpo"},
    "terms": {
        "gate": {"scorer": "rendered", "role": "gate", "weight": 0.0},
        "vowels": {"scorer": "tinyrun:Patchy", "weight": {0: 0.0, 6: 1.0}, "on_missing": "neutral"},
        "length": {"scorer": "length_ramp", "weight": 0.3, "when": "prompt.id != 'iris'"},
        "watch": {"scorer": "tinyrun:Vowels", "role": "monitor"},
    },
}


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("reward", [{"compose": {"standardize": "batch"}, **VOWELS}, EVERYTHING])
def test_several_ranks_compose_what_one_does(tmp_path: Path, reward: dict[str, Any], ranks: int) -> None:
    """Groups lie across ranks; terms are standardised over the whole batch, or inside groups."""
    replies = [*REPLIES, "oooo", "oxxx", "xxxx", "broken"]
    by = load_reward(reward).advantage or Grpo()
    alone, judged = ask(context(tmp_path / "one", reward, estimator=by), replies)
    meeting, shared = threading.Barrier(ranks), dict[int, list[Any]]()

    def gather_on(rank: int) -> Any:
        def gather(rows: list[Any]) -> list[Any]:
            shared[rank] = rows
            meeting.wait(30)
            everyones = [row for each in range(ranks) for row in shared[each]]
            meeting.wait(30)
            return everyones

        return gather

    Run.create(tmp_path / "many", {"recipe": {}})
    found: dict[int, tuple[list[float | None], Judged]] = {}
    share = len(replies) // ranks

    def work(rank: int) -> None:
        of = context(tmp_path / "many", reward, rank=rank, gather=gather_on(rank), estimator=by)
        found[rank] = ask(of, replies[rank * share : (rank + 1) * share], rank * share)

    workers = [threading.Thread(target=work, args=(rank,)) for rank in range(ranks)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [total for rank in range(ranks) for total in found[rank][0]] == alone
    for rank in range(ranks):
        assert rewards_of(found[rank][1]) == rewards_of(judged)
        assert found[rank][1].advantages == judged.advantages
    ids = [sample.id for group in found[1][1].groups for sample in group.samples]
    assert ids == [sample.id for group in judged.groups for sample in group.samples]
    assert len({reward.advantage for reward in rewards_of(judged)}) > 4


def test_a_reward_too_large_for_the_trainer_is_refused_with_the_remedy(tmp_path: Path) -> None:
    huge = {"terms": {"vowels": {"scorer": "tinyrun:Vowels", "weight": 1e30}}}
    with pytest.raises(StageError, match=r"too large to train on\. Give its term a squash"):
        ask(context(tmp_path, huge), REPLIES)


def test_a_steps_renders_are_counted(tmp_path: Path) -> None:
    cached = CachedMedium(FakeMedium(), {}, tmp_path / "renders")
    counted = context(tmp_path / "run", medium=cached)
    for hits, misses in ((0.0, 7.0), (7.0, 0.0)):
        numbers = ask(counted, REPLIES)[1].numbers
        assert (numbers["render/cache_hits"], numbers["render/cache_misses"]) == (hits, misses)
    assert not any(name.startswith("render/") for name in ask(context(tmp_path / "b"), REPLIES)[1].numbers)


def test_what_the_system_failed_has_no_reward(tmp_path: Path) -> None:
    """A lost browser takes rewards away; a broken sketch stays the sample's own fault."""
    totals, judged = ask(context(tmp_path, medium=Lost()), REPLIES)
    assert totals == [None, None, None, 0.0, None, None, None, None]
    assert all(not reward.advantage for reward in rewards_of(judged))
    numbers = step_metrics(judged, load_reward(VOWELS))
    assert (numbers["missing"], numbers["system_failures"], numbers["rendered_share"]) == (7, 7, 0)


def test_missing_scores_leave_the_others_where_they_are(tmp_path: Path) -> None:
    reward = {"terms": {"vowels": {"scorer": "tinyrun:Patchy", "weight": 1.0}}}
    totals, judged = ask(context(tmp_path, reward), REPLIES)
    assert totals == [0.5, 0.25, None, 0.0, 0.0, 0.5, None, 0.25]
    assert [r.advantage for r in rewards_of(judged)][:4] == [0.25, 0.0, None, -0.25]


def test_rounding_is_no_advantage_for_the_trainer() -> None:
    """Totals that differ by one ulp have advantage 0 in the record, so the trainer gets equal totals."""
    tiny = 0.1 + 0.2
    rewards = tuple(Reward(total, (), 0.0) for total in (0.3, tiny, 0.3, None))
    judged = Judged(1, (), (rewards,), {}, {})
    assert judged.for_trainer() == [0.3, 0.3, 0.3, None]


def test_truncation_is_no_end_of_sequence(tmp_path: Path) -> None:
    of = context(tmp_path)
    seen: list[Judged] = []
    of.on_judged = seen.append
    reward_function(of)(
        completions=["aaaa", [{"role": "assistant", "content": "eeee"}], "ii", "ou"],
        completion_ids=[[5, 5, 5, 5], [5, 5, 5, 1], [5, 1], [5, 5, 5, 5]],
        prompt_id=["rose"] * 4,
        step=[1] * 4,
        slot=[0] * 4,
        log_extra=lambda name, values: None,
        log_metric=lambda name, value: None,
    )
    samples = seen[0].groups[0].samples
    assert [sample.truncated for sample in samples] == [True, False, False, True]
    assert [sample.reply for sample in samples] == ["aaaa", "eeee", "ii", "ou"]


def test_a_steps_line_and_metrics(tmp_path: Path) -> None:
    from rich.console import Console

    console = Console(record=True, width=60)
    run = Run.create(tmp_path, {"recipe": {}})
    prompt = Prompt("p", "draw")
    picture = Picture.from_png(FakeMedium().render(["gold"], [0])[0].picture.png)  # type: ignore[union-attr]
    samples = tuple(Sample(f"s-{k}", prompt, f"gold {k}", picture=picture) for k in range(2))
    rewards = tuple(Reward(t, (TermValue("taste", t, t, t, "ok"),), t - 0.5) for t in (0.25, 0.75))
    recipe: RewardRecipe = load_reward({"terms": {"taste": {"scorer": "a.b:Pairwise", "weight": 1.0}}})
    judged = Judged(
        2, (Group(prompt, samples),), (rewards,), {"render": 3.0, "judge": 0.5}, {"terms/taste/raw": 0.5}
    )
    log = StepLog(run, recipe, steps=10, updates_per_step=2, console=console)
    log.begin()
    log.take(judged)
    log.add({"train_runtime": 3.0})
    log.add({"loss": 1.0, "clip_ratio/region_mean": 0.0, "entropy": 2.0})
    assert run.steps() == []
    log.add({"loss": 2.0, "clip_ratio/region_mean": 0.1, "entropy": 1.0})
    line = console.export_text()
    assert line.startswith("step  2/10 · reward 0.500 · renders 100% · wins 0.50 · ")
    assert line.count("\n") == 1
    row = run.metrics().to_dicts()[0]
    assert (row["loss"], row["clip_fraction"], row["entropy"], row["win_rate"]) == (1.5, 0.1, 1.5, 0.5)
    assert row["reward_std_in_group"] == pytest.approx(0.3535534)
    assert (row["seconds_render"], row["seconds_judge"]) == (3.0, 0.5)


def test_a_step_says_what_its_judges_cost(tmp_path: Path) -> None:
    judge = {"kind": "openai", "model": "eye", "cache": False, "price": {"input": 1.0, "output": 1.0}}
    term = {"scorer": "checklist", "judge": "eye", "weight": 1.0, "args": {"questions": ["Is it red?"]}}
    with served(JudgeServer(FakeJudge())) as server:
        reward = {"terms": {"asked": term}, "judges": {"eye": judge | {"base_url": server.url}}}
        replies = ["a1", "a2", "a3", "a4", "b1", "b2", "b3", "broken"]
        numbers = ask(context(tmp_path, reward), replies)[1].numbers
    assert numbers["terms/asked/judge/questions"] == numbers["judge/calls"] == 7
    assert numbers["judge/failed"] == 0
    assert numbers["judge/tokens_in"] > 7
    tokens = numbers["judge/tokens_in"] + numbers["judge/tokens_out"]
    assert numbers["judge/usd"] == pytest.approx(tokens / 1e6)
