import json
from pathlib import Path

import pytest

from painted import write_candidates
from salon.errors import RecipeError
from salon.pool import Pool, Rating, build_pool, load_ratings
from salon.pool.build import assign_splits, to_webp
from salon.raster import decode, sniff


def rows(pool: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (pool / "metadata.jsonl").read_text().splitlines()]


def test_a_pool_has_its_pictures_sources_facts_and_tiers(tmp_path: Path) -> None:
    ratings = write_candidates(tmp_path / "c", 5)
    summary = build_pool(tmp_path / "c", ratings, tmp_path / "pool")
    assert summary.tiers == {"love": 5, "okay": 5, "nope": 5}
    assert summary.pictures == 15
    assert summary.agreement is None
    row = next(r for r in rows(tmp_path / "pool") if r["file_name"] == "images/love-1.webp")
    assert row["tier"] == "love"
    assert row["subject"] == "tulip"
    assert row["generator_model"] == "pillow"
    assert row["rated_by"] == "test"
    assert (tmp_path / "pool" / str(row["source_file"])).read_text() == "// love-1\n"
    assert sniff((tmp_path / "pool" / str(row["file_name"])).read_bytes()) == "webp"
    assert Pool.load(tmp_path / "pool").items[0].reference.source.startswith("//")


def test_blind_repeats_are_counted_and_change_no_tier(tmp_path: Path) -> None:
    ratings = write_candidates(tmp_path / "c", 4)
    again = [Rating(id="love-0", tier="love", round=2), Rating(id="nope-0", tier="love", round=2)]
    summary = build_pool(tmp_path / "c", [*ratings, *again], tmp_path / "pool")
    assert (summary.repeats, summary.agreement, summary.agreement_within_one) == (2, 0.5, 0.5)
    row = next(r for r in rows(tmp_path / "pool") if r["file_name"] == "images/nope-0.webp")
    assert (row["tier"], row["repeat_tier"]) == ("nope", "love")


def test_building_again_replaces_the_pool_and_keeps_its_card(tmp_path: Path) -> None:
    ratings = write_candidates(tmp_path / "c", 4)
    build_pool(tmp_path / "c", ratings, tmp_path / "pool")
    (tmp_path / "pool" / "README.md").write_text("who rated")
    build_pool(tmp_path / "c", ratings[:-1], tmp_path / "pool")
    assert len(rows(tmp_path / "pool")) == 11
    assert len(list((tmp_path / "pool" / "images").iterdir())) == 11
    assert (tmp_path / "pool" / "README.md").read_text() == "who rated"


def test_the_held_out_fifth_is_a_fifth_of_every_tier_and_stays_when_order_changes() -> None:
    tiers = {f"{tier}-{i}": tier for tier in ("love", "okay", "nope") for i in range(40)}
    facts: dict[str, dict[str, object]] = {name: {} for name in tiers}
    splits = assign_splits(tiers, facts, held_out=0.2, seed=3)
    for tier in ("love", "okay", "nope"):
        assert sum(splits[n] == "held_out" for n in tiers if tiers[n] == tier) == 8
    backwards = dict(reversed(tiers.items()))
    assert assign_splits(backwards, facts, held_out=0.2, seed=3) == splits
    assert assign_splits(tiers, facts, held_out=0.2, seed=4) != splits


def test_a_family_is_never_parted() -> None:
    tiers = {f"p{i}": ("love", "nope")[i % 2] for i in range(60)}
    facts = {name: {"family": f"f{i // 3}"} for i, name in enumerate(tiers)}
    splits = assign_splits(tiers, facts, held_out=0.2, seed=0)
    for i in range(20):
        assert len({splits[f"p{i * 3 + j}"] for j in range(3)}) == 1
    assert 6 <= sum(split == "held_out" for split in splits.values()) <= 18


def test_webp_fits_its_size_and_side(tmp_path: Path) -> None:
    write_candidates(tmp_path, 1, side=900)
    small = to_webp((tmp_path / "love-0.png").read_bytes(), side=400, max_bytes=4_000)
    assert len(small) <= 4_000
    assert decode(small).size == (400, 400)


@pytest.mark.parametrize(
    ("rating", "complaint"),
    [
        (Rating(id="ghost", tier="love"), "ghost has no picture"),
        (Rating(id="love-0", tier="nope"), "love-0 is rated twice in round 1"),
        (Rating(id="ghost", tier="nope", round=2), "ghost has a repeat but no first rating"),
    ],
)
def test_ratings_that_do_not_fit_are_refused(tmp_path: Path, rating: Rating, complaint: str) -> None:
    ratings = write_candidates(tmp_path / "c", 2)
    with pytest.raises(RecipeError, match=complaint):
        build_pool(tmp_path / "c", [*ratings, rating], tmp_path / "pool")
    assert not (tmp_path / "pool").exists()


def test_a_ratings_file_names_its_bad_line(tmp_path: Path) -> None:
    path = tmp_path / "ratings.jsonl"
    path.write_text('{"id": "a", "tier": "love"}\n\n{"id": "b", "tier": "great"}\n')
    with pytest.raises(RecipeError, match="line 3: tier"):
        load_ratings(path)
    path.write_text('{"id": "a", "tier": "love", "rated_by": "x", "round": 2}\n')
    assert load_ratings(path) == [Rating(id="a", tier="love", rated_by="x", round=2)]
    with pytest.raises(RecipeError, match="cannot be read"):
        load_ratings(tmp_path / "none.jsonl")


def test_a_pool_takes_the_place_of_a_pool_alone(tmp_path: Path) -> None:
    candidates = tmp_path / "candidates"
    write_candidates(candidates, 3)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "precious").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "mine")
    for out in (tmp_path / "mine", tmp_path / "link", candidates, candidates / "pool", tmp_path):
        with pytest.raises(RecipeError, match="out "):
            build_pool(candidates, [], out)
    assert (tmp_path / "mine" / "precious").read_text() == "mine"
    assert list(candidates.glob("*.png"))
