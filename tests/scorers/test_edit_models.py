"""Models of edits: EditScore over a scripted server and through a stand-in of its package, EditReward through
a stand-in of its code. What was to be edited always comes along, or there is no score.
"""

import math
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from PIL import Image

from chatserver import ScriptedServer, served
from painted import encoded, paint, picture_of
from salon.contrib.edit_reward import EditReward
from salon.contrib.edit_score import EditPass, EditScore, edit_score, read_pair
from salon.contrib.edit_score_local import EditScoreLocal
from salon.errors import RecipeError, SetupError, StageError
from salon.judges.measuring.golden import by_formula, problems_of, read_golden, write_golden
from salon.judges.preference_model import ModelOfEdits, Request
from salon.rewards.deadline import score_group
from salon.rewards.engine import RewardEngine
from salon.rewards.judging import asking
from salon.rewards.recipe import load_reward
from salon.scorers.models.served import Served
from salon.serving.score_server import ScoreServer
from salon.types import Group, Prompt, Sample

BEFORE = picture_of(paint("okay", 3, 40))
EDITED = [picture_of(paint("love", seed, 40)) for seed in range(2)]
PATIENCE = {"cache": False, "deadline_s": 5.0, "backoff_s": 0.01, "attempts": 2}


def said(first: float, second: float) -> str:
    return f'{{"reasoning": "the cat is blue now", "score": [{first}, {second}]}}'


def group(folder: Path, **meta: str) -> Group:
    (folder / "before.jpg").write_bytes(encoded(paint("okay", 3, 40), "JPEG", quality=95))
    prompt = Prompt("e", "make the cat blue", meta={"source": str(folder / "before.jpg")} | meta)
    pictures = [EDITED[0], None, EDITED[1]]
    return Group(prompt, tuple(Sample(str(n), prompt, "", picture=each) for n, each in enumerate(pictures)))


def scorer_at(server: ScriptedServer, **options: Any) -> EditScore:
    return EditScore("eye", server.url, **{**PATIENCE, **options})


def by_pictures(handler: Any, body: dict[str, Any]) -> str:
    """20 and 25 for a question with two pictures, 16.2 and 18 for one with one."""
    shown = [part for part in body["messages"][0]["content"] if part["type"] == "image_url"]
    return said(20, 25) if len(shown) == 2 else said(18, 16.2)


def test_an_edit_is_the_root_of_the_lower_scores_on_a_scale_of_ten(tmp_path: Path) -> None:
    with served() as server:
        server.script = [by_pictures]
        first, none, last = scorer_at(server, cache=str(tmp_path / "kept")).score(group(tmp_path))
        assert first.value == last.value == pytest.approx(math.sqrt(20 * 16.2) / 2.5)
        assert dict(first.details) == pytest.approx({"following": 8.0, "consistency": 10.0, "quality": 6.48})
        assert none.failure is not None
        assert none.failure.code == "no_picture"
        assert len(server.seen) == 4
        contents = [body["messages"][0]["content"] for body in server.seen]
        # apply_chat_template of its qwen25vl_vllm.py: "<img1>: " before the first picture, and so on.
        marks = [[part.get("text", "picture") for part in content[:-1]] for content in contents]
        two, one = ["<img1>: ", "picture", "<img2>: ", "picture"], ["<img1>: ", "picture"]
        assert sorted(marks, key=len) == [one, one, two, two]
        assert [("make the cat blue" in content[-1]["text"]) == (len(content) == 5) for content in contents]
        assert all("seed" not in body and body["temperature"] == 0 for body in server.seen)
        again = scorer_at(server, cache=str(tmp_path / "kept")).score(group(tmp_path))
        assert (again[0].value, len(server.seen)) == (first.value, 4)


def test_the_picture_before_comes_first(tmp_path: Path) -> None:
    with served() as server:
        server.script = [by_pictures]
        scorer_at(server).score(group(tmp_path))
        urls = {
            tuple(
                part["image_url"]["url"]
                for part in body["messages"][0]["content"]
                if part["type"] == "image_url"
            )
            for body in server.seen
        }
    pairs, alone = ([each for each in urls if len(each) == size] for size in (2, 1))
    assert len({before for before, _ in pairs}) == 1
    assert {after for _, after in pairs} == {after for (after,) in alone}


def test_several_passes_have_seeds_a_mean_and_a_spread(tmp_path: Path) -> None:
    def by_seed(handler: Any, body: dict[str, Any]) -> str:
        assert body["temperature"] == 0.7
        return said(25, 25) if body["seed"] == 42 else said(16, 25)

    with served() as server:
        server.script = [by_seed]
        scorer = scorer_at(server, passes=2)
        first = scorer.score(group(tmp_path))[0]
    assert first.value == pytest.approx((10 + 6.4) / 2)
    assert first.details["sigma"] == pytest.approx(3.6 / math.sqrt(2))
    assert scorer.identity.endswith("× 2")
    with pytest.raises(RecipeError, match="temperature above 0"):
        EditScore("eye", "http://127.0.0.1:9/v1", passes=2, temperature=0.0)


@pytest.mark.parametrize(
    "answer", ["I'm sorry, but I can't assist with that.", said(30, 2), said(-1, 2), "[3]"]
)
def test_what_cannot_be_read_is_missing_and_never_a_guess(answer: str, tmp_path: Path) -> None:
    with served() as server:
        server.script = [answer]
        lost = scorer_at(server, cache=str(tmp_path / "kept")).score(group(tmp_path))[0]
        assert lost.failure is not None
        assert (lost.failure.code, lost.failure.fault) == ("malformed_verdict", "system")
        server.script, server.seen[:] = [by_pictures], []
        found = scorer_at(server, cache=str(tmp_path / "kept")).score(group(tmp_path))[0]
    assert found.value == pytest.approx(7.2)


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        (said(0, 25), (0.0, 25.0)),
        ("```json\n" + said(3.5, 4) + "\n```", (3.5, 4.0)),
        ("<think>" + said(1, 1) + "</think>" + said(2, 3), (2.0, 3.0)),
        (said(1, 2) + said(3, 4), None),
        ('{"reasoning": "", "score": [1]}', None),
        ('{"reasoning": "", "score": 7}', None),
        ('{"reasoning": "", "score": [1, 2, 3]}', None),
        ('{"reasoning": "", "score": [true, 2]}', None),
        ('{"reasoning": "", "score": ["1", 2]}', None),
        ('{"reasoning": "", "score": [NaN, 2]}', None),
        ('{"reasoning": "", "score": [1e999, 2]}', None),
        ("", None),
    ],
)
def test_answers_are_read_strictly(text: str, pair: tuple[float, float] | None) -> None:
    if pair is None:
        with pytest.raises(StageError, match="malformed"):
            read_pair(text)
    else:
        assert read_pair(text) == pair


def test_a_constant_judge_has_no_spread() -> None:
    assert edit_score([EditPass(25, 25, 25)] * 3).details["sigma"] == 0
    assert edit_score([EditPass(0, 25, 25)]).value == 0


@pytest.mark.parametrize(
    ("meta", "code"),
    [
        ({"source": ""}, "no_picture_before"),
        ({"source": "nowhere.png"}, "no_picture_before"),
        ({"source": "\0"}, "no_picture_before"),
        ({"source": __file__}, "unreadable_picture"),
    ],
)
def test_without_the_picture_before_there_is_no_score(
    meta: dict[str, str], code: str, tmp_path: Path
) -> None:
    with served() as server:
        for scores in (
            score_group(scorer_at(server), group(tmp_path, **meta)),
            score_group(Served("http://127.0.0.1:9", before="source"), group(tmp_path, **meta)),
        ):
            failures = [score.failure for score in scores]
            assert {(each.code, each.fault) for each in failures if each} == {(code, "system")}
        assert not server.seen


def test_an_edit_without_one_picture_before_costs_the_others_nothing() -> None:
    with served() as server:
        server.script = [by_pictures]
        asked = [Request("blue", EDITED[0]), Request("blue", EDITED[0], (BEFORE,))]
        lost, found = scorer_at(server).rate(asked)
    assert lost.failure is not None
    assert lost.failure.code == "no_picture_before"
    assert found.value == pytest.approx(7.2)


def test_it_runs_in_a_recipe_and_behind_a_score_server(tmp_path: Path) -> None:
    with served() as chat:
        chat.script = [by_pictures]
        args = {"model": "eye", "base_url": chat.url, "cache": False}
        reward = {"terms": {"edit": {"scorer": "edit_score", "weight": 1.0, "args": args}}}
        engine = RewardEngine(load_reward({"reward": reward}), seed=7)
        assert engine.score([group(tmp_path)])[0]["edit"][0].value == pytest.approx(7.2)
        assert engine.identities()["model edit"].startswith("eye@")
        with served(ScoreServer(scorer_at(chat), "edit_score")) as server:
            scores = Served(server.address, before="source", cache=False).score(group(tmp_path))
    assert [score.value for score in scores] == [pytest.approx(7.2), None, pytest.approx(7.2)]
    assert scores[0].details["quality"] == pytest.approx(6.48)


def by_size(handler: Any, body: dict[str, Any]) -> str:
    """Another score for every picture: by the length of its bytes."""
    url = body["messages"][0]["content"][-2]["image_url"]["url"]
    return said(len(url) % 25, 20)


def test_golden_scores_of_an_edit_have_the_picture_before(tmp_path: Path) -> None:
    with served() as server:
        server.script = [by_size]
        model = scorer_at(server)
        assert isinstance(model, ModelOfEdits)
        assert problems_of(model, by_formula(edits=True)) == ()
        assert "no_picture_before" in problems_of(model, by_formula())[0]
        write_golden(tmp_path / "golden.jsonl", model)
        known = read_golden(tmp_path / "golden.jsonl")
        assert [each.request for each in known] == [each.request for each in by_formula(edits=True)]
        assert problems_of(model, known) == ()
        settings = ["model=eye", f"base_url={server.url}", "cache=false"]
        assert asking.open_model("edit_score", settings, str(tmp_path / "golden.jsonl"))
        assert asking.open_model("edit_score", settings).identity == model.identity


def stand_in(monkeypatch: pytest.MonkeyPatch, say: Callable[[Any, int], str]) -> list[dict[str, Any]]:
    """A package editscore whose model says what `say` makes of the prepared question and the seed."""
    made: list[dict[str, Any]] = []

    class Package:
        # The arguments of editscore 0.2; one that it does not know is a TypeError.
        def __init__(
            self,
            backbone: str = "gpt-4.1",
            openai_url: str = "",
            key: str | None = None,
            model_name_or_path: str = "",
            score_range: int = 25,
            temperature: float = 0.7,
            tensor_parallel_size: int = 1,
            max_model_len: int = 1536,
            max_num_batched_tokens: int = 1536,
            max_num_seqs: int = 32,
            num_pass: int = 1,
            reduction: str = "average_last",
            seed: int = 42,
            lora_path: str | None = None,
            cache_dir: str | None = None,
        ) -> None:
            made.append({name: value for name, value in locals().items() if name != "self"})
            self.SC_prompt, self.PQ_prompt = "follow <instruction>?", "whole?"
            prepare = lambda images, words: (tuple(each.size for each in images), words)  # noqa: E731
            self.model = SimpleNamespace(
                prepare_input=prepare, inference=lambda asked, seed: say(asked, seed)
            )

    package = ModuleType("editscore")
    package.EditScore = Package  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "editscore", package)
    return made


def test_the_package_is_asked_in_its_own_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[tuple[Any, int]] = []

    def say(question: Any, seed: int) -> str:
        asked.append((question, seed))
        return said(20, 25) if len(question[0]) == 2 else said(18, 16.2)

    made = stand_in(monkeypatch, say)
    scorer = EditScoreLocal("qwen", lora="EditScore/EditScore-7B", passes=2, tensor_parallel_size=2)
    first = scorer.score(group(tmp_path))[0]
    assert first.value == pytest.approx(7.2)
    assert made[0]["score_range"] == 25
    assert (made[0]["lora_path"], made[0]["tensor_parallel_size"], made[0]["num_pass"]) == (
        "EditScore/EditScore-7B",
        2,
        1,
    )
    following, quality = (((40, 40), (40, 40)), "follow make the cat blue?"), (((40, 40),), "whole?")
    assert asked[:4] == [(following, 42), (quality, 42), (following, 43), (quality, 43)]
    assert "EditScore-7B" in scorer.identity


def test_where_the_package_would_guess_there_is_no_score(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seeds: list[int] = []

    def say(question: Any, seed: int) -> str:
        seeds.append(seed)
        return "I'm sorry, but I can't assist with that request." if seed < 2000 else said(20, 20)

    stand_in(monkeypatch, say)
    assert EditScoreLocal("qwen").score(group(tmp_path))[0].value == pytest.approx(8.0)
    assert seeds[:3] == [42, 1042, 2042]
    stand_in(monkeypatch, lambda question, seed: "no")
    lost = EditScoreLocal("qwen").score(group(tmp_path))[0]
    assert lost.failure is not None
    assert lost.failure.code == "malformed_verdict"


@pytest.mark.parametrize(
    ("make", "package", "told"),
    [
        (lambda folder: EditScoreLocal("qwen"), "editscore", "pip install editscore"),
        (lambda folder: EditReward(str(folder), str(folder / "c.yaml")), "EditReward", "PYTHONPATH"),
    ],
)
def test_without_the_package_it_says_what_to_do(
    make: Any, package: str, told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    checkpoint(tmp_path)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(SetupError, match=told):
        make(tmp_path)


def checkpoint(folder: Path, **config: Any) -> Path:
    (folder / "model.safetensors").write_bytes(b"weights")
    # As in its EditReward-Qwen2.5-7B-VL.yaml.
    written = {
        "rm_head_type": "ranknet_multi_head",
        "reward_dim": "overall_detail",
        "output_dim": 2,
        "loss_type": "uncertainty",
    } | config
    (folder / "c.yaml").write_text("".join(f"{key}: {value}\n" for key, value in written.items()))
    return folder


@pytest.fixture
def edit_reward(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """A stand-in of EditReward's code: [mean brightness of the edit minus that of before, log .5]."""
    calls: list[dict[str, Any]] = []

    class Inferencer:
        def __init__(self, **given: Any) -> None:
            calls.append(given)

        def reward(self, *, prompts: Any, image_src: Any, image_paths: Any) -> Any:
            calls.append({"prompts": prompts})
            return [
                [light(after) - light(before), math.log(0.5)]
                for before, after in zip(image_src, image_paths, strict=True)
            ]

    package = ModuleType("EditReward")
    package.EditRewardInferencer = Inferencer  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "EditReward", package)
    return calls


def light(image: Image.Image) -> float:
    return sum(image.convert("L").tobytes()) / (255 * image.width * image.height)


@pytest.mark.torch
def test_edit_rewards_second_number_is_a_spread_and_no_score(
    edit_reward: list[dict[str, Any]], tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    made = checkpoint(tmp_path)
    scorer = EditReward(str(made), str(made / "c.yaml"), device="cpu", batch=1)
    first, none, last = scorer.score(group(tmp_path))
    assert first.details["sigma"] == pytest.approx(0.5)
    assert first.value is not None
    assert first.value != last.value
    assert none.value is None
    assert edit_reward[0]["rm_head_type"] == "ranknet_multi_head"
    assert edit_reward[0]["reward_dim"] == "overall_detail"
    assert [call["prompts"] for call in edit_reward[1:]] == [["make the cat blue"]] * 2
    assert problems_of(scorer, by_formula(edits=True)) == ()
    other = checkpoint(tmp_path, loss_type="bt")
    plain = EditReward(str(other), str(other / "c.yaml"), device="cpu").score(group(tmp_path))[0]
    assert (plain.value, dict(plain.details)) == (first.value, {})


def test_a_checkpoint_that_would_be_unpickled_is_refused(
    edit_reward: list[dict[str, Any]], tmp_path: Path
) -> None:
    made = checkpoint(tmp_path)
    (made / "model.pth").write_bytes(b"pickle")
    with pytest.raises(RecipeError, match="unpickled"):
        EditReward(str(made), str(made / "c.yaml"))
    (made / "model.safetensors").unlink()
    with pytest.raises(RecipeError, match=r"no model\.safetensors"):
        EditReward(str(made), str(made / "c.yaml"))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [({"following": "Good?"}, "following"), ({"passes": 0}, "passes"), ({"patience": 3}, "patience")],
)
def test_a_wrong_setting_is_named(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(RecipeError, match=told):
        EditScore("eye", "http://127.0.0.1:9/v1", **wrong)
