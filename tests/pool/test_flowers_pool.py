"""The pool that ships: complete, small, spread over tiers and splits, without a leak."""

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import salon
from salon.pool.references import Pool

FLOWERS = Path(salon.__file__).parent / "data" / "pools" / "flowers"


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FLOWERS / "metadata.jsonl").read_text().splitlines()]


def test_it_loads_by_name_and_draws_half_love_half_okay() -> None:
    pool = Pool.load("flowers")
    drawn = pool.draw(4, seed=3)
    assert len(pool.items) >= 240
    assert Counter(r.tier for r in drawn) == {"love": 2, "okay": 2}
    assert {r.id for r in drawn} <= {i.reference.id for i in pool.select(split="train")}


def test_every_tier_is_there_in_both_splits(rows: list[dict[str, Any]]) -> None:
    counts = Counter((row["split"], row["tier"]) for row in rows)
    assert set(counts) == {(s, t) for s in ("train", "held_out") for t in ("love", "okay", "nope")}
    held_out = sum(n for (split, _), n in counts.items() if split == "held_out")
    assert held_out >= 50
    assert 0.17 <= held_out / len(rows) <= 0.25
    assert 0.15 <= sum(row["tier"] == "love" for row in rows) / len(rows) <= 0.30


def test_pictures_and_sources_are_all_used_once(rows: list[dict[str, Any]]) -> None:
    assert {p.name for p in (FLOWERS / "images").iterdir()} == {Path(r["file_name"]).name for r in rows}
    assert {p.name for p in (FLOWERS / "sources").iterdir()} == {Path(r["source_file"]).name for r in rows}


def test_a_source_uses_the_brush_and_a_picture_is_400_pixels_wide(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        assert "brush." in (FLOWERS / row["source_file"]).read_text(), row["file_name"]
        with Image.open(FLOWERS / row["file_name"]) as picture:
            assert picture.size == (400, 400), row["file_name"]


def test_no_source_and_no_family_is_shared_between_the_splits(rows: list[dict[str, Any]]) -> None:
    splits: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        splits[(FLOWERS / row["source_file"]).read_text()].add(row["split"])
        splits[f"family {row.get('family', row['file_name'])}"].add(row["split"])
    assert not [key[:60] for key, where in splits.items() if len(where) > 1]


def test_every_row_says_what_was_asked_for_and_who_rated(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        assert row["subject"] in row["prompt"], row["file_name"]
        assert row["colour"] in row["prompt"], row["file_name"]
        assert row["generator_model"] in ("hand", "corpus", "sketcher"), row["file_name"]
        assert row["rated_by"], row["file_name"]
    assert sum("repeat_tier" in row for row in rows) >= len(rows) // 10


def test_the_card_tells_the_true_counts_and_the_folder_stays_small(rows: list[dict[str, Any]]) -> None:
    card = (FLOWERS / "README.md").read_text()
    for tier, count in Counter(row["tier"] for row in rows).items():
        assert f"| {tier} | {count} |" in card
    assert sum(p.stat().st_size for p in FLOWERS.rglob("*") if p.is_file()) <= 15_000_000
