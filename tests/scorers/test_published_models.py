"""ImageReward through a stand-in of its package, and UnifiedReward over a scripted server."""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from PIL import Image

from chatserver import ScriptedServer, served
from painted import paint, picture_of
from salon.contrib.image_reward import ImageReward
from salon.contrib.unified_reward import UnifiedReward, read_scores
from salon.errors import RecipeError, SetupError, StageError
from salon.judges.preference_model import Request
from salon.llm.completion import Completion
from salon.types import Group, Prompt, Sample

ROSE = Prompt("p", "draw a rose")
A, B = picture_of(paint("love", 1, 40)), picture_of(paint("nope", 1, 40))
GROUP = Group(ROSE, tuple(Sample(str(n), ROSE, "", picture=each) for n, each in enumerate((A, None, B))))
SAID = "Alignment Score (1-5): 3.5\nCoherence Score (1-5): 4\nStyle Score (1-5): 1.5"


def test_without_image_rewards_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ImageReward", None)
    with pytest.raises(SetupError, match="pip install image-reward"):
        ImageReward()


@pytest.mark.torch
def test_image_reward_is_asked_one_by_one_and_warns_of_long_prompts(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    seen: list[tuple[str, Any]] = []

    def score(prompt: str, image: Image.Image) -> float:
        seen.append((prompt, image.size))
        return len(seen) / 2

    def load(name: str, *, device: str) -> Any:
        assert (name, device) == ("ImageReward-v1.0", "cpu")
        blip = SimpleNamespace(tokenizer=lambda text: {"input_ids": text.split()})
        return SimpleNamespace(score=score, blip=blip)

    package = ModuleType("ImageReward")
    package.load = load  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ImageReward", package)
    scorer = ImageReward(device="cpu")
    assert [each.value for each in scorer.score(GROUP)] == [0.5, None, 1.0]
    assert seen == [("draw a rose", (40, 40))] * 2
    with pytest.warns(UserWarning, match="reads 35 tokens of a prompt; one has 40"):
        (cut,) = scorer.rate([Request("rose " * 40, A)])
    assert cut.details == {"prompt_cut": 1.0}


def unified(server: ScriptedServer, **options: Any) -> UnifiedReward:
    patience = {"cache": False, "deadline_s": 5.0, "backoff_s": 0.01, "attempts": 3}
    return UnifiedReward("eye", server.url, **{**patience, **options})


def test_unified_reward_scores_three_aspects_and_keeps_them() -> None:
    with served() as server:
        server.script = ["I cannot say.", SAID]
        scorer = unified(server)
        for _ in range(2):
            first, none, last = scorer.score(GROUP)
            assert (first.value, last.value) == (3.0, 3.0)
            assert first.details == {"alignment": 3.5, "coherence": 4.0, "style": 1.5}
            assert none.failure is not None
            assert none.failure.code == "no_picture"
        assert len(server.seen) == 3
        words = server.seen[0]["messages"][0]["content"]
        assert [part["type"] for part in words] == ["image_url", "text"]
        assert "draw a rose" in words[1]["text"]
        own = unified(server, aspect="style", prompt="a flower", question="How good is {prompt}?")
        assert own.score(GROUP)[0].value == 1.5
        assert server.seen[-1]["messages"][0]["content"][1]["text"] == "How good is a flower?"
        assert own.identity != scorer.identity


def test_an_answer_that_cannot_be_read_is_missing() -> None:
    with served() as server:
        server.script = ["Style: wonderful"]
        lost = unified(server).score(GROUP)[0]
    assert lost.failure is not None
    assert (lost.failure.code[:9], lost.failure.fault) == ("malformed", "system")
    assert len(server.seen) == 6


@pytest.mark.parametrize(
    ("said", "scores"),
    [
        (SAID, [3.5, 4.0, 1.5]),
        ("**Alignment Score (1-5):** 3\n- Coherence: 2/5\nStyle score: 5.0\nThat is all.", [3.0, 2.0, 5.0]),
        (SAID + "\n" + SAID, [3.5, 4.0, 1.5]),
        (SAID.replace("3.5", "0"), None),
        (SAID.replace("3.5", "-3"), None),
        (SAID.replace("3.5", "35"), None),
        (SAID.replace("3.5", "8/10"), None),
        (SAID.replace("3.5", "NaN"), None),
        (SAID.replace("3.5", "X"), None),
        (SAID + "\nStyle Score (1-5): 2", None),
        (SAID.splitlines()[0], None),
        ("", None),
    ],
)
def test_answers_are_read_strictly(said: str, scores: list[float] | None) -> None:
    if scores is None:
        with pytest.raises(StageError, match="malformed"):
            read_scores(Completion(said))
    else:
        assert list(read_scores(Completion(said)).values()) == scores


@pytest.mark.parametrize(
    ("wrong", "told"),
    [({"aspect": "mood"}, "aspect"), ({"question": "How good?"}, "question"), ({"patience": 3}, "patience")],
)
def test_a_wrong_setting_is_named(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(RecipeError, match=told):
        UnifiedReward("eye", "http://127.0.0.1:9/v1", **wrong)
