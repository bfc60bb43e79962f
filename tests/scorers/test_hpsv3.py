"""HPSv3's scorer against a stand-in of its package: arguments by keyword, pictures of their own, mu only."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from painted import paint, picture_of
from salon.contrib.hpsv3 import HPSv3
from salon.errors import SetupError
from salon.types import Group, Prompt, Sample

PROMPT = Prompt("p", "draw a rose")


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hpsv3", None)
    with pytest.raises(SetupError, match="pip install hpsv3"):
        HPSv3()


@pytest.mark.torch
def test_it_is_called_by_keyword_with_the_neutral_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    seen: list[tuple[list[str], list[bytes]]] = []

    class HPSv3RewardInferencer:
        def __init__(self, *, device: str) -> None:
            assert device == "cpu"

        def reward(self, *, prompts: list[str], image_paths: list[str]) -> list[list[float]]:
            seen.append((prompts, [Path(path).read_bytes() for path in image_paths]))
            return [[3.5 - index, 0.2] for index in range(len(prompts))]

    package = ModuleType("hpsv3")
    package.HPSv3RewardInferencer = HPSv3RewardInferencer  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "hpsv3", package)
    pictures = [picture_of(paint("love", 1)), None, picture_of(paint("nope", 1))]
    samples = tuple(Sample(str(i), PROMPT, "", picture=picture) for i, picture in enumerate(pictures))
    scores = HPSv3(device="cpu").score(Group(PROMPT, samples))
    assert [score.value for score in scores] == [3.5, None, 2.5]
    # qwen2vl_trainer.py: sigma = exp(rewards[:, 1]).
    assert scores[0].details == {"sigma": pytest.approx(1.2214, abs=1e-4)}
    prompts, files = seen[0]
    assert prompts == ["a loose watercolour flower"] * 2
    assert files == [picture.png for picture in pictures if picture]
