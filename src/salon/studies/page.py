"""Old against new as one page that opens offline."""

from collections.abc import Sequence
from pathlib import Path

from salon.markup import Child, Html, el
from salon.number_text import number
from salon.pool.provenance import provenance_of, provenance_of_run
from salon.report.comparison.overlay import curve_of, overlay, tone
from salon.report.facts import Curve
from salon.report.markup import section
from salon.report.numbers import percent
from salon.report.static_page import static_cover, static_page
from salon.report.thumbnails import Thumbnails, frame
from salon.store.runs import Run, write_atomic

from .findings import Findings, Seed
from .plan import SIDES, OldVsNew
from .words import steps, story

SMALL = {"tokens": "Tokens per sketch", "diversity": "Distance within groups"}
NAMES = ("nine signals", "four signals")
PICTURES, SIZE = 12, 150


def build_page(plan: OldVsNew, found: Findings) -> Path:
    """Write `index.html` into the plan's folder; returns its path."""
    out = Path(plan.out) / "index.html"
    parts = [
        ("curves", "Curves", _curves(found)),
        ("seeds", "Seeds", _seeds(found)),
        ("pictures", "Pictures", _pictures(plan)),
        ("faults", "Faults of the old rubric", _faults(found)),
    ]
    cover = static_cover(
        f"{len(plan.seeds)} seeds a side",
        "Nine signals and four",
        " ".join(story(found)),
        _figures(found),
        _keys(),
        note=provenance_of({"pool": plan.judges.pool}) or _rated(plan),
    )
    write_atomic(out, static_page("Nine signals and four", cover, parts).encode("utf-8", "replace"))
    return out


def _rated(plan: OldVsNew) -> str:
    """Whose ratings stand behind its runs' judges, where they are of the pool that ships."""
    runs = (Run.open(plan.run_folder(side, seed)) for side in SIDES for seed in plan.seeds)
    return next(filter(None, (provenance_of_run(run.manifest) for run in runs)), "")


def _figures(found: Findings) -> list[tuple[str, str, str]]:
    factor = "–" if found.factor is None else f"{found.factor.value:.1f} ×"
    gain = found.gain
    between = "" if gain.low is None else f"{number(gain.low, 3, sign=True)} to {number(gain.high, 3, True)}"
    return [
        (factor, "as soon at the old best", f"old: {steps(found.old_reached)}"),
        (number(gain.value, 3, sign=True), "quality at the end, new minus old", between),
        (number(found.level), "the old rubric’s best", "probability of beating a picture of score 0"),
    ]


def _keys() -> Html:
    items = [
        el("li", {"class": tone(at)}, el("i", {"class": "key"}), el("b", {}, name))
        for at, name in enumerate(NAMES)
    ]
    return el("ul", {"class": "runs"}, items)


def _curves(found: Findings) -> Html:
    quality = [curve_of(NAMES[at], found.curves[side]["quality"]) for at, side in enumerate(SIDES)]
    reached = [found.old_reached.step, found.new_reached.step]
    note = (
        "All seeds together; thin: each step, strong: the mean of five. Quality is what a judge says that"
        " neither side was trained on: the probability that the picture beats one of score 0, and 0 where a"
        " sketch does not paint."
    )
    chart = el(
        "figure",
        {"class": "reward"},
        el("figcaption", {}, el("b", {}, "Quality, by the held-out judge")),
        overlay(quality, NAMES, wide=True, level=found.level, reached=reached),
    )
    small = [_small(found, name, title) for name, title in SMALL.items()]
    return section("curves", "Curves", note, chart, el("div", {"class": "multiples"}, small))


def _small(found: Findings, name: str, title: str) -> Html:
    curves: list[Curve | None] = [
        curve_of(NAMES[at], found.curves[side][name]) for at, side in enumerate(SIDES)
    ]
    return el("figure", {}, el("figcaption", {}, el("b", {}, title)), overlay(curves, NAMES))


def _seeds(found: Findings) -> Html:
    heads = ("reward", "seed", "best", "end", "old best reached", "wins against its base", "95 %")
    rows = [el("tr", {}, [el("td", {}, cell) for cell in _cells(each)]) for each in found.seeds]
    table = el(
        "table",
        {"class": "flat"},
        el("thead", {}, el("tr", {}, [el("th", {"scope": "col"}, head) for head in heads])),
        el("tbody", {}, rows),
    )
    note = "Best is of the smoothed curve, end of the last quarter of the steps."
    return section("seeds", "Seeds", note, el("div", {"class": "scroll"}, table))


def _cells(each: Seed) -> list[Child]:
    at = SIDES.index(each.side)
    wins = each.win_rate
    between = "" if wins is None or wins.low is None else f"{percent(wins.low)} to {percent(wins.high)}"
    return [
        el("span", {"class": tone(at)}, el("i", {"class": "key"}), f" {NAMES[at]}"),
        str(each.seed),
        number(each.best, 3),
        number(each.final, 3),
        "never" if each.reached is None else f"step {each.reached}",
        "–" if wins is None else percent(wins.value),
        between,
    ]


def _pictures(plan: OldVsNew) -> Html:
    body: list[Child] = []
    for at, side in enumerate(SIDES):
        body.append(el("h3", {}, f"{NAMES[at]}, last step"))
        body.append(el("div", {"class": "movers"}, _last(plan, side)))
    note = "The first answer of every group of the last step, seed by seed."
    return section("pictures", "What came out", note, *body)


def _last(plan: OldVsNew, side: str) -> Sequence[Html]:
    frames: list[Html] = []
    for seed in plan.seeds:
        run = Run.open(plan.run_folder(side, seed))
        thumbnails = Thumbnails(run)
        rows = run.rollouts([run.steps()[-1]]).unique("group", keep="first", maintain_order=True)
        for row in rows.to_dicts():
            picture = frame(thumbnails.uri(row["picture"], SIZE), row["failure_code"], "moved")
            frames.append(el("figure", {}, picture, el("figcaption", {}, el("i", {}, row["prompt"]))))
    return frames[:PICTURES]


def _faults(found: Findings) -> Html:
    items = [el("li", {}, f"{name}: {title}") for name, titles in found.faults.items() for title in titles]
    note = "The problems that a diagnosis sees in the old side’s runs."
    return section("faults", "Faults of the old rubric", note, el("ul", {}, items or [el("li", {}, "none")]))
