"""The verbs of `import salon`."""

import dataclasses
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import salon
from salon.raster import decode, encode_png, of_image

REWARD: dict[str, Any] = {
    "reward": {
        "terms": {
            "gate": {"scorer": "rendered", "role": "gate", "weight": 0.1},
            "colour": {"scorer": "palette", "weight": 0.9, "on_missing": "renormalize"},
        }
    }
}
PROMPT = salon.Prompt("p", "draw a crimson poppy", "poppy", meta={"colour": "crimson"})
ROOT = Path(__file__).resolve().parents[1]


def painted(colour: tuple[int, int, int] = (201, 42, 66)) -> Image.Image:
    image = Image.new("RGB", (64, 64), "white")
    image.paste(colour, (8, 8, 40, 40))
    return image


@pytest.fixture
def reward(tmp_path: Path) -> Path:
    file = tmp_path / "reward.yaml"
    file.write_text(
        "reward:\n  terms:\n    gate: {scorer: rendered, role: gate, weight: 0.1}\n"
        "    colour: {scorer: palette, weight: 0.9, on_missing: renormalize}\n"
    )
    return file


def forms(folder: Path) -> Iterator[object]:
    image = painted()
    png = encode_png(image)
    (folder / "seen.png").write_bytes(png)
    yield from (png, image, np.asarray(image), of_image(image), folder / "seen.png")
    yield image.convert("RGBA")
    yield np.dstack([np.asarray(image), np.full((64, 64), 255, np.uint8)])
    yield salon.Sample("s", PROMPT, "", picture=of_image(image))


def test_a_picture_in_any_form_gets_the_same_reward(reward: Path, tmp_path: Path) -> None:
    given: list[Any] = list(forms(tmp_path))
    found = salon.score(reward, PROMPT, given)
    assert {each.total for each in found} == {found[0].total}
    assert (found[0].total or 0) > 0.1
    assert {each.picture.key for each in found if each.picture} == {of_image(painted()).key}
    assert [term.term for term in found[0].terms] == ["gate", "colour"]


@pytest.mark.parametrize("form", ["CMYK", "L", "P", "I;16", "LA", "1"])
def test_images_of_any_mode_are_pictures(reward: Path, form: str) -> None:
    grey = painted().convert("L")
    image = (
        Image.fromarray(np.asarray(grey).astype(np.uint16) * 257) if form == "I;16" else grey.convert(form)
    )
    (found,) = salon.score(REWARD, PROMPT, image)
    assert found.failure is None
    assert found.picture is not None
    assert found.picture.width == 64


def test_rewards_come_in_order_with_reasons_and_failures(reward: Path) -> None:
    answers = ["crimson discs", painted(), "broken", b"no picture"]
    found = salon.score(reward, PROMPT, answers, medium="fake")
    assert [each.failure.fault if each.failure else None for each in found] == [
        None,
        None,
        "sample",
        "system",
    ]
    assert (found[2].total, found[2].reward.gated) == (0, True)
    # Nobody knows what it would have been worth: missing is not zero.
    assert found[3].total is None
    assert any("unreadable_picture" in term.reason for term in found[3].terms)


def test_one_answer_alone_is_no_list_of_letters(reward: Path) -> None:
    assert len(salon.score(reward, PROMPT, "crimson", medium="fake")) == 1
    assert len(salon.score(reward, PROMPT, np.asarray(painted()))) == 1
    assert len(salon.score(reward, PROMPT, np.stack([np.asarray(painted())] * 3))) == 3
    assert salon.score(reward, PROMPT, []) == []


def test_a_prompt_may_be_a_text(reward: Path) -> None:
    (found,) = salon.score(reward, "a poppy", painted())
    assert found.sample.prompt.text == "a poppy"
    assert [term.status for term in found.terms] == ["ok", "not_applicable"]


def test_a_group_is_one_group_its_members_are_ranked(reward: Path) -> None:
    found = salon.score(reward, PROMPT, [painted((0, 120, 0)), painted()])
    assert [each.rank for each in found] == [2, 1]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (np.zeros((8, 8, 3), np.float32), r"answer 0: .*float32, not uint8.*0–255"),
        (np.zeros((3, 8, 8), np.uint8), r"answer 0: .*\(3, 8, 8\).*transpose\(1, 2, 0\)"),
        (np.zeros((8, 8), np.uint8), r"answer 0: .*\(8, 8\)"),
        (np.zeros((8, 0, 3), np.uint8), r"answer 0: .*\(8, 0, 3\)"),
        (7, r"answer 0: a int cannot be scored: give a source"),
        (Path("nowhere.png"), r"nowhere.png: cannot be read"),
        (Path("nowhere.js"), r"nowhere.js: cannot be read"),
    ],
)
def test_what_is_no_answer_is_named_with_a_remedy(answer: Any, told: str, reward: Path) -> None:
    with pytest.raises(salon.RecipeError, match=told):
        salon.score(reward, PROMPT, [answer])


def test_a_text_is_never_opened_as_a_file(
    reward: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be what a model wrote."""
    monkeypatch.chdir(tmp_path)
    painted().save("seen.png")
    with pytest.warns(UserWarning, match=r"pathlib\.Path\('seen\.png'\)"):
        (found,) = salon.score(reward, PROMPT, ["seen.png"], medium="p5.brush")
    assert found.failure is not None
    assert found.failure.code == "no_sketch_in_response"


def test_a_source_is_drawn_by_what_stands_in_it(reward: Path) -> None:
    square = '<rect width="4" height="4" fill="#c92a42"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">{square}</svg>'
    (found,) = salon.score(reward, PROMPT, f"Here you are:\n```svg\n{svg}\n```")
    assert found.failure is None
    assert (found.total or 0) > 0.1


def test_a_runs_recipe_brings_its_medium(tmp_path: Path, reward: Path) -> None:
    run = tmp_path / "run.yaml"
    run.write_text(
        "policy: {name_or_path: fake}\nprompts: {flowers: [poppy], colours: [crimson]}\n"
        "medium: {name: fake, args: {size: [40, 24]}}\nreward: reward.yaml\nout: runs/x\n"
    )
    (found,) = salon.score(run, PROMPT, "crimson discs")
    assert found.picture is not None
    assert (found.picture.width, found.picture.height) == (40, 24)
    (other,) = salon.score(run, PROMPT, "crimson discs", medium="svg")
    assert other.failure is not None


def test_the_command_and_the_call_give_one_number(reward: Path, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from salon.cli import app

    painted().save(tmp_path / "seen.png")
    words = ["score", str(reward), str(tmp_path / "seen.png"), "-o", str(tmp_path / "s.csv")]
    done = CliRunner().invoke(app, [*words, "-p", PROMPT.text, "--meta", "colour=crimson"])
    assert done.exit_code == 0, done.output
    import polars as pl

    (found,) = salon.score(reward, PROMPT, tmp_path / "seen.png")
    assert pl.read_csv(tmp_path / "s.csv")["total"].to_list() == [found.total]


def test_render_gives_one_or_many_in_order(tmp_path: Path) -> None:
    one = salon.render("tomato", medium="fake", seed=3)
    assert one.ok
    two = salon.render(["broken", "tomato"], medium="fake", seed=3)
    assert [each.ok for each in two] == [False, True]
    assert two[1].picture == one.picture
    (tmp_path / "a.txt").write_text("tomato")
    assert salon.render(tmp_path / "a.txt", medium="fake", seed=3).picture == one.picture
    with pytest.raises(salon.RecipeError, match="there is no such file"):
        salon.render(tmp_path / "b.txt")
    with pytest.raises(salon.RecipeError, match="colour"):
        salon.render("tomato", medium="fake", colour="red")


def test_render_of_svg_takes_its_size() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="4" height="4"/></svg>'
    made = salon.render([svg] * 40, size=(48, 48))
    assert {(each.picture.width, each.picture.height) for each in made if each.picture} == {(48, 48)}
    assert len(made) == 40


def test_open_judge_pool_medium(tmp_path: Path) -> None:
    for number, tier in enumerate(("love", "nope")):
        painted((number, 42, 66)).save(tmp_path / f"{number}.png")
        with (tmp_path / "metadata.jsonl").open("a") as rows:
            rows.write(f'{{"file_name": "{number}.png", "tier": "{tier}", "subject": "poppy"}}\n')
    assert isinstance(salon.open_pool(tmp_path), salon.Pool)
    with pytest.raises(salon.RecipeError, match="flowers"):
        salon.open_pool("flower")
    judge = salon.open_judge("pixels")
    assert isinstance(judge, salon.Judge)
    assert isinstance(salon.open_medium("fake"), salon.Medium)
    with pytest.raises(salon.RecipeError, match="pixels"):
        salon.open_judge("pixel")


def test_diagnose_takes_plain_python() -> None:
    rng = np.random.default_rng(0)
    taste, length = rng.uniform(size=80), np.full(80, 0.5)
    rows = {"prompt": [f"p{n // 4}" for n in range(80)], "taste": taste.tolist(), "length": length.tolist()}
    found = salon.diagnose(rows, weights={"taste": 0.4, "length": 0.6}, group="prompt")
    assert {term.name: term.weight for term in found.table.terms} == {"taste": 0.4, "length": 0.6}
    assert "saturated" in {each.kind for each in found.findings if each.level != "fine"}
    with pytest.raises(salon.RecipeError, match="lenght"):
        salon.diagnose(rows, weights={"lenght": 1.0})


def test_a_run_is_opened_and_rescored_without_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = salon.load_reward(REWARD)
    run = salon.Run.create(tmp_path / "run", {"recipe": {"seed": 0, "reward": recipe.identity()}})
    engine = salon.RewardEngine(recipe)
    sample = salon.Sample("a", PROMPT, "x", source="x", picture=of_image(painted()))
    group = salon.Group(PROMPT, (sample, dataclasses.replace(sample, id="b")))
    rewards = salon.compose(recipe, ["p", "p"], engine.score([group])[0])
    run.write_step(0, [group], [salon.with_advantages(rewards, ["p", "p"])], {"reward": 0.5})
    other = tmp_path / "other.yaml"
    other.write_text("reward: {terms: {colour: {scorer: palette, weight: 1.0}}}\n")
    found = salon.rescore(tmp_path / "run", other, quiet=True)
    assert isinstance(found, salon.Rescored)
    assert capsys.readouterr().out == ""
    salon.rescore(salon.open_run(tmp_path / "run"), other)
    assert "colour" in capsys.readouterr().out
    with pytest.raises(salon.StoreError):
        salon.open_run(tmp_path / "nothing")


def test_pixels_of_a_translucent_array_lie_on_paper(reward: Path) -> None:
    clear = np.zeros((8, 8, 4), np.uint8)
    (found,) = salon.score(reward, PROMPT, clear)
    assert found.picture is not None
    assert np.asarray(decode(found.picture.png)).min() == 255
    assert Image.open(io.BytesIO(found.picture.png)).mode == "RGB"


@pytest.mark.parametrize("prompt", [None, ["draw a rose"], {"text": "a rose"}])
def test_a_prompt_of_another_kind_is_refused_before_anything_is_loaded(prompt: Any) -> None:
    with pytest.raises(salon.RecipeError, match=r"prompt: .*salon\.Prompt, and no (NoneType|list|dict)"):
        salon.score("paint", prompt, ["x"])


@pytest.mark.parametrize("answers", [None, 5])
def test_answers_of_another_kind_are_refused_by_name(answers: Any) -> None:
    with pytest.raises(salon.RecipeError, match=r"answers: a (NoneType|int) cannot be scored: give a source"):
        salon.score("paint", "a rose", answers)


@pytest.mark.parametrize("source", [None, 5, [5]])
def test_a_source_of_another_kind_is_refused_by_name(source: Any) -> None:
    with pytest.raises(salon.RecipeError, match=r"a (NoneType|int) cannot be rendered: give a source"):
        salon.render(source)


def test_a_files_name_that_is_rendered_as_a_source_is_told() -> None:
    with pytest.warns(UserWarning, match=r"pathlib\.Path\('nope\.js'\)"):
        assert salon.render("nope.js", medium="fake")
