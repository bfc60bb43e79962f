"""Small runs for the report's tests, written through the store."""

import dataclasses
import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from salon.store.runs import Run
from salon.types import Failure, Group, Picture, Prompt, Reward, Sample, TermValue

RECIPE = {
    "policy": {"name_or_path": "fake"},
    "reward": {"terms": {"gate": {"weight": 0.1}, "taste": {"weight": 0.9}}},
    "seed": 1,
}
PROMPT = Prompt(id="peach-poppy", text="draw a peach poppy in watercolour", subject="poppy")
TIMEOUT = Failure(code="deadline", message="no picture after 60 s", fault="system", stage="render")
THREW = Failure(code="threw", message="brush.noWiggle is not a function", fault="sample", stage="render")


def paint(shade: int) -> Picture:
    image = Image.new("RGB", (400, 400), "#fbf8f0")
    ImageDraw.Draw(image).ellipse((100, 100, 300, 300), fill=(200, shade % 256, 120))
    file = io.BytesIO()
    image.save(file, "PNG")
    return Picture.from_png(file.getvalue())


def sample(index: int, failure: Failure | None = None, source: str = "brush.circle(0, 0, 9);") -> Sample:
    return Sample(
        id=f"s{index}",
        prompt=PROMPT,
        reply=f"```js\n{source}\n```",
        source=source,
        picture=None if failure else paint(index * 20),
        failure=failure,
        tokens=40 + index,
        seed=index,
        seconds=0.5,
    )


def reward(total: float | None, failure: Failure | None = None, reason: str = "won 2 of 2") -> Reward:
    if failure and failure.fault == "system":
        lost = [TermValue(name, None, None, None, "missing", failure.message) for name in ("gate", "taste")]
        return Reward(total=None, terms=tuple(lost))
    passed = 0.0 if failure else 1.0
    gate = TermValue("gate", passed, passed, 0.1 * passed, "ok", failure.message if failure else "paints")
    taste = TermValue("taste", total, total, 0.9 * (total or 0.0), "ok", reason)
    if failure:
        taste = TermValue("taste", None, None, None, "gated", "")
    return Reward(total=0.0 if failure else total, terms=(gate, taste), advantage=0.0)


def write_step(run: Run, step: int, failures: Sequence[Failure | None]) -> None:
    samples = tuple(sample(index, failure) for index, failure in enumerate(failures))
    rewards = [reward(0.3 + 0.02 * step + 0.01 * index, failure) for index, failure in enumerate(failures)]
    seconds = {f"seconds_{stage}": 2.0 for stage in ("policy", "render", "judge", "update")}
    run.write_step(step, [Group(PROMPT, samples, step)], [rewards], {"win_rate": 0.5, "kl": 0.01, **seconds})


def learning_run(path: Path, steps: int = 12) -> Run:
    """Rewards rise, one sample in four fails, and a held-out evaluation was won."""
    run = Run.create(path, {"recipe": RECIPE, "judges": {"taste": "taste@1"}})
    for step in range(1, steps + 1):
        write_step(run, step, [None, None, None, THREW if step % 2 else TIMEOUT])
    rows = [evaluation_row(index, run) for index in range(3)]
    summary = {"judge": "eye", "n": 3, "win_rate": 0.7, "win_rate_low": 0.55, "win_rate_high": 0.85}
    run.write_evaluation("winrate-eye-3", rows, summary)
    run.write_evaluation("winrate-taste-3", rows, {**summary, "judge": "taste", "n": 99})
    return run


def evaluation_row(index: int, run: Run) -> dict[str, object]:
    before, after = run.write_picture(paint(200)), run.write_picture(paint(30 * index))
    failed = index == 1
    return {
        "prompt_id": PROMPT.id,
        "prompt": PROMPT.text,
        "seed": index,
        "base_picture": None if failed else before,
        "trained_picture": after,
        "base_failure": "threw: brush.noWiggle is not a function" if failed else None,
        "trained_failure": None,
        "base_source": "brush.line(0, 0, 9, 9);",
        "trained_source": "brush.circle(0, 0, 9);",
        "p_win": (0.8, 1.0, None)[index],
    }


HOSTILE = (
    "</script></pre>-->]]><img src=x onerror=\"window.hacked='img'\"><script>window.hacked='script'</script>"
)


def hostile_run(path: Path) -> Run:
    """Everything that a model, a judge or a recipe's author can write tries to run."""
    recipe = {**RECIPE, "name": HOSTILE, "note": HOSTILE}
    run = Run.create(path, {"recipe": recipe, "judges": {"taste": HOSTILE}, "policy": HOSTILE})
    prompt = Prompt(id=HOSTILE, text=HOSTILE, subject=HOSTILE)
    failure = Failure(code=HOSTILE, message=HOSTILE, fault="sample", stage="render")
    plain = dataclasses.replace(sample(0, source=HOSTILE), prompt=prompt, id=HOSTILE)
    failed = dataclasses.replace(sample(1, failure, source=HOSTILE), prompt=prompt)
    unread = dataclasses.replace(failed, source=None, reply=HOSTILE)
    odd = TermValue(HOSTILE, 0.5, 0.5, 0.5, "ok", HOSTILE)
    rewards = [Reward(0.5, (odd,), 0.0)] * 3
    for step in (1, 2):
        run.write_step(step, [Group(prompt, (plain, failed, unread), step)], [rewards], {"kl": 0.1})
    row = evaluation_row(0, run) | {"prompt": HOSTILE, "base_source": HOSTILE, "trained_source": HOSTILE}
    row |= {"base_picture": HOSTILE, "base_failure": HOSTILE, "reason": HOSTILE}
    run.write_evaluation("winrate", [row], {"judge": HOSTILE, "win_rate": 0.5, "n": 1})
    return run
