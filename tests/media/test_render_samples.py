"""From replies to samples with pictures."""

from collections.abc import Sequence

from salon.media.fake import FakeMedium
from salon.media.render_samples import derive_seed, develop
from salon.types import Prompt, Rendering, Sample


def draft(reply: str, seed: int = 1) -> Sample:
    return Sample(id=f"{reply}-{seed}", prompt=Prompt("p", "draw"), reply=reply, seed=seed)


class Counting(FakeMedium):
    """Counts what it is asked to render."""

    asked = 0

    def render(self, sources: Sequence[str], seeds: Sequence[int]) -> list[Rendering]:
        self.asked += len(sources)
        return super().render(sources, seeds)


class Lost(FakeMedium):
    def render(self, sources: Sequence[str], seeds: Sequence[int]) -> list[Rendering]:
        raise ConnectionError("the browser is gone")


class Short(FakeMedium):
    def render(self, sources: Sequence[str], seeds: Sequence[int]) -> list[Rendering]:
        return super().render(sources, seeds)[:-1]


def test_each_sample_comes_back_in_order_with_what_became_of_it() -> None:
    good, empty, broken, blank = develop(
        FakeMedium(), [draft("tomato"), draft("  "), draft("broken"), draft("blank")]
    )
    assert good.picture is not None
    assert (good.source, good.failure) == ("tomato", None)
    codes = [one.failure.code for one in (empty, broken, blank) if one.failure]
    assert codes == ["no_sketch_in_response", "syntax_error", "blank_canvas"]
    assert empty.source is None
    assert broken.source == "broken"
    assert blank.picture is not None


def test_equal_sources_with_equal_seeds_are_rendered_once() -> None:
    medium = Counting()
    made = develop(medium, [draft("tomato"), draft("tomato"), draft("tomato", seed=2), draft("broken")])
    assert medium.asked == 2
    keys = [one.picture.key for one in made[:3] if one.picture]
    assert keys[0] == keys[1] != keys[2]


def test_a_medium_that_breaks_down_is_the_systems_fault() -> None:
    for medium in (Lost(), Short()):
        made = develop(medium, [draft("tomato"), draft("gold"), draft("broken")])
        assert [one.failure.fault for one in made if one.failure] == ["system", "system", "sample"]


def test_seeds_depend_on_every_part() -> None:
    seeds = {derive_seed(0, "render", step, slot) for step in range(20) for slot in range(20)}
    assert len(seeds) == 400
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert derive_seed(1, 23) != derive_seed(12, 3)
