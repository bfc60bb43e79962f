"""How it learned: a strip of pictures, the reward, its terms; and where the time went."""

import polars as pl

from salon.markup import Html, el
from salon.number_text import number

from .charts import line_chart, stacked_bars
from .corrected_win_rate import corrected_curves
from .facts import Curve, ReportData, Term, spread
from .markup import section
from .numbers import brief, duration, percent
from .thumbnails import Thumbnails, frame

STRIP_SIZE = 200
STRIP_STEPS = 8
NAMES = {
    "tokens_mean": "Tokens per reply",
    "distinct_share": "Share of distinct replies",
    "reward_std_in_group": "Spread inside a group",
    "groups/dead": "Groups without a spread",
    "entropy": "Entropy of the policy",
    "kl": "KL to the reference model",
    "judge/calls": "Calls to judges",
    "judge/failed": "Questions that judges left open",
    "judge/usd": "US dollars for judges",
}
SHARES = {"distinct_share", "groups/dead"}
NOTE = (
    "Thin: each step. Strong: the mean of five. Terms are shown as normalised. Ticks at the foot count what "
    "failed or is missing in a step. Point at a curve to read it; choose a point to visit its step."
)


def curves(facts: ReportData, thumbnails: Thumbnails) -> Html | None:
    """The reward and its terms over the steps."""
    if not facts.steps:
        return None
    span = (facts.steps[0], facts.steps[-1])
    figures = [
        *(_term(term, index, span) for index, term in enumerate(facts.terms)),
        _plain("Share that renders", facts.renders, span, share=True),
        _plain("Win rate against references", facts.win_rate, span, share=True, reference=0.5),
        *_corrected(facts, span),
        *(_plain(NAMES[curve.name], curve, span, share=curve.name in SHARES) for curve in facts.others),
    ]
    grid = el("div", {"class": "multiples"}, [figure for figure in figures if figure])
    return section("curves", "How it learned", NOTE, _strip(facts, thumbnails), _reward(facts, span), grid)


def _reward(facts: ReportData, span: tuple[int, int]) -> Html | None:
    if not facts.reward.known:
        return None
    charts = [
        line_chart(facts.reward, span, wide=wide, spread=facts.reward_std, tone="main")
        for wide in (True, False)
    ]
    legend = _legend("The band is one standard deviation of a step's rewards.")
    return el("figure", {"class": "reward"}, _caption("Mean reward", facts.reward), charts, legend)


def _term(term: Term, index: int, span: tuple[int, int]) -> Html:
    share = all(0 <= value <= 1 for value in term.curve.known)
    told = [] if term.weight is None else [f"weight {number(term.weight)}"]
    told += [] if term.share is None else [f"{percent(term.share)} of the spread"]
    told += [f"{amount:,} {status.replace('_', ' ')}" for status, amount in term.statuses.items()]
    chart = line_chart(term.curve, span, share=share, tone=f"term-{index % 6}")
    return el("figure", {}, _caption(term.name, term.curve), chart, _legend(" · ".join(told)))


def _corrected(facts: ReportData, span: tuple[int, int]) -> list[Html]:
    """The luck of the draw taken out, for every term that met references."""
    return [
        el(
            "figure",
            {},
            _caption(f"{name}, corrected for the draw", curve),
            line_chart(curve, span, share=True, reference=0.5),
            _legend(told),
        )
        for name, (curve, told) in corrected_curves(facts.rollouts).items()
    ]


def _plain(
    title: str,
    curve: Curve,
    span: tuple[int, int],
    *,
    share: bool = False,
    reference: float | None = None,
) -> Html | None:
    if not curve.known:
        return None
    chart = line_chart(curve, span, share=share, reference=reference)
    told = _legend(f"{sum(curve.counts):,} without a picture") if curve.counts else None
    return el("figure", {}, _caption(title, curve), chart, told)


def _legend(text: str) -> Html:
    return el("p", {"class": "legend"}, text)


def _caption(title: str, curve: Curve) -> Html:
    ends = curve.ends()
    if ends:
        change = f"{brief(ends[0])} → {brief(ends[1])}"
    else:
        change = brief(curve.known[0]) if curve.known else "no value"
    return el("figcaption", {}, el("b", {}, title), el("span", {"class": "readout"}, change))


def _strip(facts: ReportData, thumbnails: Thumbnails) -> Html | None:
    rewarded = facts.rollouts.filter(pl.col("total").is_not_null())
    steps = spread(sorted(set(rewarded["step"].to_list())), STRIP_STEPS)
    if len(steps) < 2:
        return None
    medians = [_median(rewarded.filter(pl.col("step") == step), thumbnails) for step in steps]
    title = el("h3", {}, "The median answer of a step, by its reward")
    return el("div", {}, title, el("div", {"class": "strip"}, medians))


def _median(rows: pl.DataFrame, thumbnails: Thumbnails) -> Html:
    row = rows.sort("total").row((rows.height - 1) // 2, named=True)
    step = row["step"]
    picture = frame(thumbnails.uri(row["picture"], STRIP_SIZE), row["failure_code"], "median")
    opener = {"type": "button", "data-step": step, "aria-label": f"Open step {step} in the gallery"}
    label = el("figcaption", {}, f"step {step}", el("span", {}, number(row["total"])))
    return el("figure", {}, el("button", opener, picture), label)


def time_spent(facts: ReportData) -> Html | None:
    """Seconds per stage, stacked."""
    if not facts.stages:
        return None
    span = (facts.steps[0], facts.steps[-1])
    keys = [_key(index, stage, facts.seconds) for index, stage in enumerate(facts.stages)]
    charts = [stacked_bars(facts.stages, span, wide) for wide in (True, False)]
    note = f"Seconds per step and stage; {duration(facts.seconds)} in all."
    body = el("ul", {"class": "keys"}, keys), el("figure", {}, charts)
    return section("time", "Where the time went", note, *body)


def _key(index: int, stage: Curve, whole: float) -> Html:
    total = sum(stage.known)
    share = percent(total / whole) if whole else "–"
    name = stage.name.removeprefix("seconds_")
    swatch = el("i", {"class": f"key stage-{index}"})
    return el("li", {}, swatch, el("b", {}, name), f" {duration(total)} · {share}")
