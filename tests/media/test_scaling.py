"""Nothing that a model wrote is read in the square of its length, and there is a length that is too much."""

import pytest

import scaling
from salon.media import extract_source
from salon.media.extract_source import extract_sketch, extract_svg
from salon.media.p5.checks import source_check
from salon.media.p5.checks.source_check import check_sketch
from salon.media.p5.checks.syntax import KEPT_PROGRAMS, LONGEST_KEPT, _kept_program, read_program
from salon.media.p5.checks.syntax_tree import TooComplex, read_tree
from salon.media.p5.libraries import node_modules
from salon.types import Failure

needs_libraries = pytest.mark.skipif(
    not (node_modules() / "p5.brush").is_dir(), reason="needs the npm packages"
)


@needs_libraries
@pytest.mark.parametrize(("name", "size"), [("sketches", 10_000), ("replies", 100_000), ("svgs", 30_000)])
def test_no_repeated_piece_takes_the_square_of_its_length(name: str, size: int) -> None:
    done = scaling.run(name, size)
    assert done.returncode == 0, (done.returncode, done.stdout.splitlines()[-1:], done.stderr[-2000:])
    assert len(done.stdout.splitlines()) > 300


def test_thirty_backticks_and_a_long_line_are_a_reply_without_a_sketch() -> None:
    found = extract_sketch("`" * 30 + "a" * 128_000)
    assert isinstance(found, Failure)
    assert found.code == "no_sketch_in_response"


def test_what_is_too_long_is_not_looked_at() -> None:
    for read in (extract_sketch, extract_svg):
        found = read("<svg>" + "a" * extract_source.LONGEST)
        assert isinstance(found, Failure)
        assert (found.code, found.fault, found.stage) == ("too_large", "sample", "extract")
        assert "1,000,000 are looked at" in found.message
    failure = check_sketch("a;" * source_check.LONGEST)
    assert failure is not None
    assert (failure.code, failure.fault, failure.stage) == ("too_large", "sample", "check")


def test_a_source_that_the_parser_would_read_again_and_again_is_given_up() -> None:
    """From each slash, the parser looks for the end of a pattern, to the end of the source."""
    with pytest.raises(TooComplex):
        read_tree(b"a=/[" * 20_000)
    assert read_program("a=/[" * 20_000).too_complex


def test_few_programs_are_kept_and_none_that_is_long() -> None:
    for number in range(2 * KEPT_PROGRAMS):
        read_program(f"function setup() {{ circle({number}, 1, 1); }}")
    read_program("a;" * LONGEST_KEPT)
    kept = _kept_program.cache_info()
    assert kept.currsize <= KEPT_PROGRAMS
    before = kept.misses
    read_program("a;" * LONGEST_KEPT)
    assert _kept_program.cache_info().misses == before


@needs_libraries
def test_a_default_value_declares_nothing() -> None:
    failure = check_sketch("function setup() { createCanvas(9, 9); } function f(a = fetch) { fetch('x'); }")
    assert failure is not None
    assert failure.code == "external_access"
    assert {"a", "b", "c", "d"} <= read_program("function f(a = x, {b, k: [c = 1]}, ...d) {}").declared
    assert "k" not in read_program("function f({k: b}) {}").declared


@needs_libraries
def test_an_invented_name_is_told_in_few_letters_and_none_that_moves_a_cursor() -> None:
    failure = check_sketch(
        f"function setup() {{ createCanvas(9, 9, WEBGL); brush.{'long' * 50_000}(); }}"[:190_000]
    )
    assert failure is not None
    assert len(failure.message) < 200
    failure = check_sketch("function setup() { createCanvas(9, 9, WEBGL); brush['\x1b[2J\u202e'](); }")
    assert failure is not None
    assert failure.code == "unknown_brush_method"
    assert failure.message.isprintable()


def test_half_a_character_of_a_reply_is_replaced() -> None:
    source = extract_sketch("```js\nfunction setup() { '\ud800' }\n```")
    assert source == "function setup() { '\ufffd' }\n"
    assert extract_svg("<svg id='\ud83d\ude00\udc00'/>") == "<svg id='😀\ufffd'/>\n"
