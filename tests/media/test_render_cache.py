"""Renderings kept on disk: what is asked again, what never is, and what damage does."""

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from salon.files.cache_folders import cache_folder, trim
from salon.media import open_medium
from salon.media.code_digest import MEDIA, UNDECIDING, _digest, deciding_files
from salon.media.fake import FakeMedium
from salon.media.render_cache import CachedMedium
from salon.types import Failure, Medium, Rendering


class Fickle(FakeMedium):
    """A source with the word "slow" runs out of time, and one with "lost" loses its browser."""

    def render(self, sources: Sequence[str], seeds: Sequence[int]) -> list[Rendering]:
        return [
            self.fickle(source, r) for source, r in zip(sources, super().render(sources, seeds), strict=True)
        ]

    def fickle(self, source: str, rendering: Rendering) -> Rendering:
        if "slow" in source:
            return Rendering(None, Failure("timeout", "too slow", "sample", "render"))
        if "lost" in source:
            return Rendering(None, Failure("browser_lost", "gone", "system", "render"))
        return rendering


def opened(folder: Path, **arguments: Any) -> CachedMedium:
    return CachedMedium(Fickle(**arguments), arguments, folder)


def test_it_is_a_medium_and_gives_what_the_medium_gives(tmp_path: Path) -> None:
    cached = opened(tmp_path)
    assert isinstance(cached, Medium)
    sources, seeds = ["tomato", "blank", "broken", "tomato", "tomato"], [1, 1, 1, 1, 2]
    made = cached.render(sources, seeds)
    assert made == Fickle().render(sources, seeds)
    assert (cached.hits, cached.misses) == (1, 4)
    assert cached.render(sources, seeds) == made
    assert (cached.hits, cached.misses) == (6, 4)
    assert opened(tmp_path).render(sources, seeds) == made


class Watching(Fickle):
    """Says what was called, as a browser does."""

    def fickle(self, source: str, rendering: Rendering) -> Rendering:
        return replace(rendering, calls=("brush.fill", source))


def test_what_was_called_is_kept(tmp_path: Path) -> None:
    cached = CachedMedium(Watching(), {}, tmp_path)
    made = cached.render(["tomato", "broken"], [1, 1])
    assert [each.calls for each in made] == [("brush.fill", "tomato"), ("brush.fill", "broken")]
    assert cached.render(["tomato", "broken"], [1, 1]) == made
    assert cached.hits == 2


def test_what_passes_is_asked_again(tmp_path: Path) -> None:
    cached = opened(tmp_path)
    for _ in range(2):
        cached.render(["slow", "lost"], [1, 1])
    assert (cached.hits, cached.misses) == (0, 4)


def test_another_size_or_version_is_another_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = opened(tmp_path, size=(32, 32)).render(["tomato"], [1])[0]
    large = opened(tmp_path, size=(64, 64)).render(["tomato"], [1])[0]
    assert [r.picture.width for r in (small, large) if r.picture] == [32, 64]
    monkeypatch.setattr(Fickle, "versions", lambda self: {"fake": "2"})
    newer = opened(tmp_path, size=(32, 32))
    newer.render(["tomato"], [1])
    assert newer.misses == 1


KEPT = {"key": "KEY", "picture": None, "failure": None, "seconds": 0.0, "calls": None}
BLANK = {"code": "blank_canvas", "message": "", "fault": "sample", "stage": "render"}


def entry(**changed: Any) -> bytes:
    return json.dumps({key: value for key, value in (KEPT | changed).items() if value != "absent"}).encode()


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{}\n",
        b"not json",
        entry(picture="ab") + b"\nPNG",
        entry(),
        entry(failure=BLANK, seconds="absent"),
        entry(failure=BLANK, seconds=-1.0),
        entry(failure=BLANK, seconds=True),
        entry(failure=BLANK).replace(b"0.0", b"NaN"),
        entry(failure=BLANK).replace(b"0.0", b"1e999"),
        entry(failure=BLANK, key="0" * 64),
        entry(failure=BLANK, key="absent"),
        entry(failure=BLANK | {"fault": "system"}),
        entry(failure=BLANK | {"code": "timeout"}),
        entry(failure=BLANK | {"code": ["a"]}),
        entry(failure=BLANK | {"more": 1}),
        entry(failure="blank_canvas"),
        entry(failure=[BLANK]),
        entry(more=1),
        entry(failure=BLANK, calls="circle"),
        entry(failure=BLANK, calls=[1]),
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"[]",
        b"null",
        b"\xff\xfe{\x00}\x00",
        entry(failure=BLANK | {"message": "\ud800"}),
    ],
)
def test_a_damaged_file_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    first = opened(tmp_path).render(["tomato"], [1])
    (file,) = tmp_path.glob("*/*")
    file.write_bytes(damage.replace(b"KEY", file.name.encode()))
    again = opened(tmp_path)
    assert again.render(["tomato"], [1]) == first
    assert again.misses == 1
    file.write_bytes(file.read_bytes()[:-9])
    cut = opened(tmp_path)
    assert cut.render(["tomato"], [1]) == first
    assert cut.misses == 1


def test_a_folder_that_cannot_be_written_to_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert opened(tmp_path / "file").render(["tomato"], [1])[0].ok


def test_the_oldest_go_first(tmp_path: Path) -> None:
    cached = opened(tmp_path)
    for age, source in enumerate(("one", "two", "three", "four")):
        cached.render([source], [1])
        for file in tmp_path.glob("*/*"):
            if file.stat().st_mtime > 1e9 + 10:
                os.utime(file, (1e9 + age, 1e9 + age))
    files = sorted(tmp_path.glob("*/*"), key=lambda file: file.stat().st_mtime)
    held = sum(file.stat().st_size for file in files)
    trim(tmp_path, held)
    assert len(list(tmp_path.glob("*/*"))) == 4
    trim(tmp_path, held - 1)
    assert set(tmp_path.glob("*/*")) == set(files[1:])


def test_only_entries_are_removed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    cache = tmp_path / "cache"
    entry, photo = cache / "ab" / ("ab" + "0" * 62), cache / "ab" / "holiday.jpg"
    misplaced, linked = cache / "my" / ("ab" + "1" * 62), elsewhere / ("cd" + "0" * 62)
    for file in (entry, photo, misplaced, linked):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x" * 1000)
    (cache / "cd").symlink_to(elsewhere)
    trim(cache, 100)
    assert [file.exists() for file in (entry, photo, misplaced, linked)] == [False, True, True, True]


def test_a_recipe_opens_it_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SALON_CACHE", str(tmp_path))
    assert cache_folder("renders") == tmp_path / "renders"
    open_medium("fake", cache=True).render(["tomato"], [1])
    assert len(list((tmp_path / "renders").glob("*/*"))) == 1
    assert isinstance(open_medium("fake"), FakeMedium)
    # Somebody's own medium changes while it is written, and its versions may not say so.
    assert isinstance(open_medium("salon.media.fake:FakeMedium", cache=True), FakeMedium)


def test_a_picture_in_anothers_place_is_not_believed(tmp_path: Path) -> None:
    first, second = opened(tmp_path).render(["tomato", "navy"], [1, 1])
    one, other = (next(tmp_path.glob(f"*/{name}")) for name in (file.name for file in tmp_path.glob("*/*")))
    shutil.copy(one, other)
    again = opened(tmp_path)
    assert again.render(["tomato", "navy"], [1, 1]) == [first, second]
    assert (again.hits, again.misses) == (1, 1)
    head, _, _ = one.read_bytes().partition(b"\n")
    poison = FakeMedium((32, 32)).render(["black"], [1])[0].picture
    assert poison is not None
    one.write_bytes(head + b"\n" + poison.png)
    assert opened(tmp_path).render(["tomato", "navy"], [1, 1]) == [first, second]


@pytest.mark.parametrize("medium", ["p5.brush", "svg", "fake"])
def test_a_changed_rule_is_another_key(medium: str, tmp_path: Path) -> None:
    """Each file of media/ either decides, and then changes the key with any byte, or is said not to."""
    decides = {file.name for file in deciding_files(medium)}
    wanted = {
        "p5.brush": {"source_check.py", "syntax.py", "embedded_data.py", "paint_coverage.py", "js_errors.py"},
        "svg": {"source_check.py", "allow_list.py", "rasterize.py", "geometry.py", "paint_coverage.py"},
        "fake": {"fake.py"},
    }
    assert wanted[medium] <= decides
    assert {file.name for file in MEDIA.rglob("*.py")} >= UNDECIDING
    folder = tmp_path / "media"
    shutil.copytree(MEDIA, folder)
    before = _digest(deciding_files(medium, folder), [])
    rooms = {"p5.brush": ("p5",), "svg": ("svg",), "fake": ("p5", "svg")}[medium]
    for place in ("p5/checks/source_check.py", "paint_coverage.py", "svg/source_check.py"):
        file = folder / place
        file.write_text(file.read_text() + "\nRELAXED = True\n")
        after = _digest(deciding_files(medium, folder), [])
        assert (after != before) == ("/" not in place or place.split("/")[0] in rooms), place
        before = after
    (folder / "new_rule.py").write_text("")
    assert _digest(deciding_files(medium, folder), []) != before
    assert _digest([], [("lxml", "1")]) != _digest([], [("lxml", "2")])
