import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from salon.errors import RecipeError
from salon.pool import Pool
from salon.pool.references import rated_files
from salon.validation import BadRows


@pytest.fixture
def pool(painted_pool_folder: Path) -> Pool:
    return Pool.load(painted_pool_folder)


def test_a_draw_is_exactly_k_distinct_and_the_same_for_the_same_seed(pool: Pool) -> None:
    drawn = pool.draw(5, seed=7)
    assert len({reference.id for reference in drawn}) == 5
    assert [r.id for r in drawn] == [r.id for r in Pool.load(pool.folder).draw(5, seed=7)]
    assert [r.id for r in drawn] != [r.id for r in pool.draw(5, seed=8)]


def test_tiers_mix_and_an_odd_k_gives_the_extra_one_by_chance(pool: Pool) -> None:
    even = [reference.tier for reference in pool.draw(4, seed=1)]
    assert (even.count("love"), even.count("okay")) == (2, 2)
    extra = {max(("love", "okay"), key=[r.tier for r in pool.draw(3, seed=s)].count) for s in range(20)}
    assert extra == {"love", "okay"}


def test_where_a_tier_runs_out_the_other_fills_up(pool: Pool) -> None:
    everything = pool.select(split="train", tiers=("love", "okay"))
    assert len({r.id for r in pool.draw(len(everything), seed=0)}) == len(everything)


def test_an_even_mix_is_even_or_refused(pool: Pool) -> None:
    tiers = [reference.tier for reference in pool.draw(6, seed=1, mix="even")]
    assert (tiers.count("love"), tiers.count("okay")) == (3, 3)
    with pytest.raises(RecipeError, match="3 references of 2 tiers cannot be an even mix"):
        pool.draw(3, seed=0, mix="even")
    with pytest.raises(RecipeError, match="an even mix of 40 wants 20 a tier, and there are 16 love"):
        pool.draw(40, seed=0, mix="even")


def test_a_tier_without_a_picture_is_named_before_anything_is_drawn(pool: Pool, tmp_path: Path) -> None:
    folder = tmp_path / "loved"
    shutil.copytree(pool.folder, folder)
    change_rows(folder, lambda rows: [row for row in rows if row["tier"] != "okay"])
    with pytest.raises(RecipeError, match="no picture is 'okay'"):
        Pool.load(folder).draw(2, seed=0)


def test_splits_tiers_and_subjects_filter(pool: Pool) -> None:
    drawn = pool.draw(2, seed=0, tiers=("nope",), subject="rose", split="held_out")
    chosen = {r.id for r in drawn}
    assert all(r.tier == "nope" and r.subject == "rose" for r in drawn)
    assert chosen <= {item.reference.id for item in pool.items if item.split == "held_out"}
    assert not {r.id for r in pool.draw(30, seed=0)} & {i.reference.id for i in pool.select(split="held_out")}


@pytest.mark.parametrize("k", [0, -1, 49])
def test_what_cannot_be_drawn_is_said(pool: Pool, k: int) -> None:
    with pytest.raises(RecipeError, match=f"{k} references are asked for"):
        pool.draw(k, seed=0)
    with pytest.raises(RecipeError, match="of subject 'cactus'"):
        pool.draw(1, seed=0, subject="cactus")


def change_rows(folder: Path, change: Callable[[list[dict[str, object]]], list[dict[str, object]]]) -> None:
    path = folder / "metadata.jsonl"
    rows = change([json.loads(line) for line in path.read_text().splitlines()])
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda rows: [rows[0] | {"tier": "meh"}, *rows[1:]], "line 1: tier"),
        (lambda rows: [rows[0], {"tier": "love"}, *rows[2:]], "line 2: file_name"),
        (
            lambda rows: [rows[0] | {"file_name": "images/gone.webp"}, *rows[1:]],
            "gone.webp, which is not there",
        ),
        (lambda rows: [rows[0] | {"file_name": "../../etc/passwd"}, *rows[1:]], "outside the pool's folder"),
        (
            lambda rows: [rows[0] | {"source_file": "sources/gone.js"}, *rows[1:]],
            "gone.js, which is not there",
        ),
        (lambda rows: [*rows, rows[0]], "the same id stands twice"),
        (lambda rows: [rows[0] | {"split": "test"}, *rows[1:]], "line 1: split"),
    ],
)
def test_a_broken_row_is_left_out_and_named(
    painted_pool_folder: Path,
    tmp_path: Path,
    change: Callable[[list[dict[str, object]]], list[dict[str, object]]],
    complaint: str,
) -> None:
    folder = tmp_path / "pool"
    shutil.copytree(painted_pool_folder, folder)
    change_rows(folder, change)
    with pytest.warns(BadRows, match=complaint):
        assert len(Pool.load(folder).items) in (59, 60)
    assert 59 <= len(rated_files(folder)) <= 61  # a quick look compares no ids


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda rows: [], "no rows"),
        (lambda rows: [r for r in rows if r["tier"] == "love"], "every picture is 'love'"),
        (lambda rows: [r | {"tier": "meh"} for r in rows], r"line 20: tier: .*\n… and 40 more"),
    ],
)
def test_a_pool_that_tells_nothing_apart_is_refused(
    painted_pool_folder: Path,
    tmp_path: Path,
    change: Callable[[list[dict[str, object]]], list[dict[str, object]]],
    complaint: str,
) -> None:
    folder = tmp_path / "pool"
    shutil.copytree(painted_pool_folder, folder)
    change_rows(folder, change)
    with pytest.raises(RecipeError, match=complaint):
        Pool.load(folder)


def test_missing_folders_broken_pictures_and_doubles_are_named(
    painted_pool_folder: Path, tmp_path: Path
) -> None:
    with pytest.raises(RecipeError, match="no such folder"):
        Pool.load(tmp_path / "nowhere")
    with pytest.raises(RecipeError, match=r"no metadata\.jsonl"):
        Pool.load(tmp_path)
    folder = tmp_path / "pool"
    shutil.copytree(painted_pool_folder, folder)
    shutil.copyfile(folder / "images" / "love-0.webp", folder / "images" / "love-1.webp")
    with pytest.warns(BadRows, match="the same picture stands twice: love-0, love-1"):
        Pool.load(folder)
    (folder / "images" / "love-1.webp").write_bytes(b"RIFF0000WEBP")
    with pytest.warns(BadRows, match=r"love-1\.webp"):
        Pool.load(folder)


def test_the_identity_changes_with_a_rating(painted_pool_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pool"
    shutil.copytree(painted_pool_folder, folder)
    before = Pool.load(folder).identity
    assert before == Pool.load(painted_pool_folder).identity
    change_rows(folder, lambda rows: [rows[0] | {"tier": "okay"}, *rows[1:]])
    assert Pool.load(folder).identity != before


def test_a_line_separator_ends_no_row_and_other_bytes_are_named(
    painted_pool_folder: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "pool"
    shutil.copytree(painted_pool_folder, folder)
    lines = (folder / "metadata.jsonl").read_text("utf-8").splitlines()
    first = json.loads(lines[0]) | {"note": "a\u2028b"}
    lines[0] = json.dumps(first, ensure_ascii=False)
    (folder / "metadata.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert Pool.load(folder).items[0].facts["note"] == "a\u2028b"
    (folder / "metadata.jsonl").write_bytes(b'{"file_name": "\xff"}')
    with pytest.raises(RecipeError, match=r"not UTF-8"):
        Pool.load(folder)
