"""One file to one PNG."""

from pathlib import Path

import pytest

from salon.errors import RecipeError
from salon.media.command.single import render_file
from salon.types import Picture

SVG = '<svg viewBox="0 0 10 10"><circle cx="5" cy="5" r="4" fill="red"/></svg>'


def test_an_svg_in_a_reply_becomes_a_png_of_the_asked_size(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text(f"Here it is:\n{SVG}\nEnjoy.")
    rendering = render_file(str(tmp_path / "a.svg"), str(tmp_path / "a.png"), size="40x20")
    assert rendering.ok
    assert rendering.picture == Picture.from_png((tmp_path / "a.png").read_bytes())
    assert rendering.picture is not None
    assert (rendering.picture.width, rendering.picture.height) == (40, 20)


def test_a_failure_writes_nothing_or_the_partial_picture(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("blank")
    rendering = render_file(str(tmp_path / "a.txt"), str(tmp_path / "a.png"), medium="fake")
    assert rendering.failure is not None
    assert (tmp_path / "a.png").exists()
    (tmp_path / "b.txt").write_text("  ")
    rendering = render_file(str(tmp_path / "b.txt"), str(tmp_path / "b.png"), medium="fake")
    assert rendering.failure is not None
    assert rendering.failure.code == "no_sketch_in_response"
    assert not (tmp_path / "b.png").exists()


@pytest.mark.parametrize("size", ["40", "0x10", "axb", "40x"])
def test_a_size_is_checked(tmp_path: Path, size: str) -> None:
    (tmp_path / "a.svg").write_text(SVG)
    with pytest.raises(RecipeError, match="WIDTHxHEIGHT"):
        render_file(str(tmp_path / "a.svg"), str(tmp_path / "a.png"), size=size)


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="cannot be read"):
        render_file(str(tmp_path / "missing.svg"), str(tmp_path / "a.png"))
    (tmp_path / "a.svg").write_text(SVG)
    with pytest.raises(RecipeError, match="cannot be written"):
        render_file(str(tmp_path / "a.svg"), str(tmp_path / "a.svg" / "a.png"))
