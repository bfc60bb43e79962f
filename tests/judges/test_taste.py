import json
import os
import shutil
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from painted import TIERS, encoded, paint, picture_of
from salon.errors import RecipeError, StageError
from salon.judges.learned.bradley_terry import fit_head
from salon.judges.learned.features import embed
from salon.judges.learned.taste import FeatureSettings, TasteJudge, save_judge
from salon.raster import to_picture
from salon.types import Failure, Judge, Picture, Prompt, Verdict

PROMPT = Prompt(id="p", text="draw a rose in watercolour")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A judge of painted flowers, on the network's features."""
    layers = ("stage3", "head")
    pictures = [(tier, seed) for tier in TIERS for seed in range(8)]
    rows = embed([picture_of(paint(tier, seed)) for tier, seed in pictures], layers=layers)
    fit = fit_head(rows, [tier for tier, _ in pictures], [f"{t}{s}" for t, s in pictures], folds=4)
    target = tmp_path_factory.mktemp("judges") / "flowers"
    settings = FeatureSettings(layers=layers)
    save_judge(
        target, "flowers", settings, fit.head, trained_on="painted", split="train", training={"seed": 0}
    )
    return target


@pytest.fixture
def judge(folder: Path) -> TasteJudge:
    return TasteJudge.load(folder)


def pair(a: str, b: str, seed: int = 50) -> tuple[Picture, Picture]:
    return picture_of(paint(a, seed)), picture_of(paint(b, seed))


def verdict(judge: TasteJudge, a: Picture, b: Picture) -> Verdict:
    answer = judge.compare(PROMPT, [(a, b)])[0]
    assert isinstance(answer, Verdict)
    return answer


def test_it_prefers_the_better_painting_it_never_saw(judge: TasteJudge) -> None:
    assert isinstance(judge, Judge)
    for seed in (50, 51, 52):
        assert verdict(judge, *pair("love", "okay", seed)).winner == "a"
        assert verdict(judge, *pair("nope", "okay", seed)).winner == "b"


def test_swapping_the_pictures_swaps_the_verdict_exactly(judge: TasteJudge) -> None:
    a, b = pair("love", "okay")
    assert verdict(judge, a, b).p_a == 1 - verdict(judge, b, a).p_a
    same = verdict(judge, a, a)
    assert (same.p_a, same.winner) == (0.5, "tie")
    copy = to_picture(encoded(paint("love", 50), "PNG", optimize=True))
    assert copy.key != a.key
    assert verdict(judge, a, copy).p_a == 0.5


def test_one_verdict_per_pair_in_order_whatever_the_batch(judge: TasteJudge, folder: Path) -> None:
    pairs = [pair("love", "nope"), pair("okay", "love"), pair("nope", "nope", 3)]
    together = judge.compare(PROMPT, pairs)
    alone = [TasteJudge.load(folder).compare(PROMPT, [one])[0] for one in pairs]
    for a, b in zip(together, alone, strict=True):
        assert isinstance(a, Verdict)
        assert isinstance(b, Verdict)
        assert a.p_a == pytest.approx(b.p_a, abs=1e-3)
    assert judge.compare(PROMPT, []) == []


def test_a_corrupt_picture_spoils_its_own_pair_only(judge: TasteJudge) -> None:
    a, b = pair("love", "okay")
    broken = Picture(png=a.png[:60], width=1, height=1, key="broken")
    found = judge.compare(PROMPT, [(a, b), (broken, b), (a, broken)])
    assert isinstance(found[0], Verdict)
    for failure in found[1:]:
        assert isinstance(failure, Failure)
        assert (failure.code, failure.fault, failure.stage) == ("unreadable_picture", "system", "judge")
    with pytest.raises(StageError, match="unreadable_picture"):
        judge.score([a, broken])


def test_scores_are_finite_and_their_difference_is_the_odds(judge: TasteJudge) -> None:
    a, b = pair("love", "okay")
    high, low = judge.score([a, b])
    assert verdict(judge, a, b).p_a == pytest.approx(1 / (1 + np.exp(low - high)))


def test_storing_as_webp_moves_a_score_by_little(judge: TasteJudge) -> None:
    images = [paint(tier, seed, side=400) for tier in TIERS for seed in range(60, 63)]
    plain = np.array(judge.score([picture_of(image) for image in images]))
    stored = np.array(judge.score([to_picture(encoded(image, "WEBP", quality=92)) for image in images]))
    assert np.abs(plain - stored).max() < 0.2 * plain.std()
    within = [plain[TIERS.index(tier) * 3 : TIERS.index(tier) * 3 + 3] for tier in TIERS]
    assert min(within[0]) > max(within[1]) > max(within[2])


def test_hidden_colour_under_alpha_does_not_count(judge: TasteJudge) -> None:
    image = paint("love", 70)
    layer = image.convert("RGBA")
    clear = paint("nope", 70).convert("RGBA")
    white = np.asarray(image).min(2) == 255
    pixels = np.asarray(layer).copy()
    pixels[white] = np.asarray(clear)[white]
    pixels[white, 3] = 0
    from PIL import Image

    hidden = picture_of(Image.fromarray(pixels, "RGBA"))
    assert judge.score([hidden]) == judge.score([picture_of(image)])


def test_many_threads_get_the_same_answers(judge: TasteJudge) -> None:
    pictures = [picture_of(paint(tier, seed)) for tier in TIERS for seed in range(4)] * 3
    with ThreadPoolExecutor(6) as threads:
        parallel = list(threads.map(lambda picture: judge.score([picture])[0], pictures))
    assert parallel == judge.score(pictures)
    assert parallel[:12] == parallel[12:24]


def test_the_identity_names_head_and_features(judge: TasteJudge, folder: Path, tmp_path: Path) -> None:
    assert judge.identity.startswith("flowers@")
    assert judge.features.identity in judge.identity
    head = replace(judge.head, direction=judge.head.direction * 2)
    other = save_judge(tmp_path / "x", "flowers", judge.card.features, head, "painted", "train", {})
    assert other.identity != judge.identity


def copied(folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(folder, tmp_path / "copy"))


def test_a_judge_whose_numbers_changed_refuses_to_load(folder: Path, tmp_path: Path) -> None:
    copy = copied(folder, tmp_path)
    card = json.loads((copy / "judge.json").read_text())

    def load_with(**changes: object) -> None:
        (copy / "judge.json").write_text(json.dumps(card | changes))
        TasteJudge.load(copy)

    load_with()
    with pytest.raises(RecipeError, match="golden picture 1 scores"):
        load_with(golden=[card["golden"][0], card["golden"][1] + 1, card["golden"][2]])
    with pytest.raises(RecipeError, match="trained on features other-v1"):
        load_with(features_identity="other-v1")
    with pytest.raises(RecipeError, match=r"head\.npz is not the one"):
        load_with(head="000000000000")
    with pytest.raises(RecipeError, match="unknown key"):
        load_with(goldn=[1.0])


def test_missing_and_damaged_judges_say_what_to_do(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"'nobody'.*built-in judges are"):
        TasteJudge.load("nobody")
    copy = copied(folder, tmp_path)
    (copy / "head.npz").write_bytes((folder / "head.npz").read_bytes()[:300])
    with pytest.raises(RecipeError, match="cannot be read"):
        TasteJudge.load(copy)
    (copy / "head.npz").unlink()
    with pytest.raises(RecipeError, match="train it anew"):
        TasteJudge.load(copy)


def _bomb(file: Path) -> None:
    """A few kilobytes that unpack to a hundred megabytes."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("direction", "low", "high", "offset"):
            archive.writestr(f"{name}.npy", bytes(25_000_000))


def _pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def _link(file: Path) -> None:
    file.unlink()
    file.symlink_to("/dev/zero")


@pytest.mark.parametrize("name", ["head.npz", "judge.json"])
@pytest.mark.parametrize(
    "spoil",
    [_bomb, _pipe, _link, lambda file: file.write_text("[" * 9999), lambda file: os.truncate(file, 10**11)],
    ids=["bomb", "pipe", "link", "nested", "huge"],
)
def test_files_of_a_stranger_s_judge_are_refused_soon(
    folder: Path, tmp_path: Path, name: str, spoil: Any
) -> None:
    shutil.copytree(folder, tmp_path / "judge")
    spoil(tmp_path / "judge" / name)
    with pytest.raises(RecipeError, match=r"cannot be read|has no judge.json"):
        TasteJudge.load(tmp_path / "judge")
