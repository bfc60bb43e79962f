"""Runs side by side, as one page that opens offline."""

from collections.abc import Sequence
from pathlib import Path

from salon.markup import Child, Html, el
from salon.number_text import number
from salon.pool.provenance import provenance_of_run
from salon.report.charts import interval
from salon.report.facts import Curve, ends_of, real
from salon.report.markup import section
from salon.report.numbers import count, duration, percent
from salon.report.static_page import static_cover, static_page
from salon.store.record import explain_difference
from salon.store.runs import write_atomic

from .compare import REWARD, Level, RunComparison, Side, WinRate
from .levels import Reach
from .overlay import curve_of, overlay, span_chart, tone

OTHERS = {"rendered_share": "Share that renders", "win_rate": "Win rate against references"}
MOST_DIFFERENCES = 40


def build_comparison(found: RunComparison, out: Path) -> Path:
    """Write the page; returns its path."""
    write_atomic(out, page(found).encode("utf-8", "replace"))
    return out


def page(found: RunComparison) -> str:
    """The whole page as text."""
    parts = [
        ("curves", "Curves", _curves(found)),
        ("levels", "Steps to a level", _levels(found)),
        ("winrates", "Win rates", _win_rates(found)),
        ("differences", "What differs", _differences(found)),
    ]
    shown = [(anchor, name, part) for anchor, name, part in parts if part is not None]
    names = [side.name for side in found.sides]
    title = f"{', '.join(names[:-1])} and {names[-1]}"
    cover = static_cover(
        f"{count(len(names), 'run')} side by side",
        title,
        story(found),
        _figures(found),
        _keys(found),
        note=rated(found.sides),
    )
    return static_page(title, cover, shown)


def rated(sides: Sequence[Side]) -> str:
    """Whose ratings stand behind some run's judges and references, where they are of the pool that ships."""
    for side in sides:
        judges = [str(each.get("judge_identity", "")) for each in side.evaluations.values()]
        if told := provenance_of_run(side.run.manifest, judges):
            return told
    return ""


def story(found: RunComparison) -> str:
    """What the comparison says, in sentences."""
    said: list[str] = []
    if found.same_reward:
        said.append("All runs have the same reward, so their totals are compared.")
    else:
        said.append(f"Totals are not compared: {'; '.join(found.unlike)}.")
        names = ", ".join(found.terms)
        said.append(f"Shared raw scores are: {names}." if names else "They share no term.")
    if not found.rendered_alike:
        said.append("Their pictures come from different versions of the renderer.")
    for level in found.levels[:1]:
        told = [
            f"{side.name} {_reached(each)}"
            for side, each in zip(found.sides, level.reached, strict=True)
            if each is not None
        ]
        said.append(f"The level {number(level.value)} of {level.name} ({level.of}): {', '.join(told)}.")
    return " ".join(said)


def _reached(each: Reach) -> str:
    return "never reaches it" if each.step is None else f"at step {each.step}"


def _figures(found: RunComparison) -> list[tuple[str, str, str]]:
    """Per run what it came to: the best number that can be compared."""
    name = found.main
    if name is None:
        return []
    shown: list[tuple[str, str, str]] = []
    for side, measured in zip(found.sides, found.measured[name], strict=True):
        if measured is not None:
            known = measured.means
            first, last = ends_of(known) or (known[0], known[0])
            small = f"{name}, last fifth of {count(len(measured.steps), 'step')}; first fifth {number(first)}"
            shown.append((number(last), side.name, small))
    return shown


def _keys(found: RunComparison) -> Html:
    """The runs with their colours."""
    items = [
        el(
            "li",
            {"class": tone(index)},
            el("i", {"class": "key"}),
            el("b", {}, side.name),
            el("small", {}, _about(side)),
        )
        for index, side in enumerate(found.sides)
    ]
    return el("ul", {"class": "runs"}, items)


def _about(side: Side) -> str:
    told = [count(len(side.run.steps()), "step"), count(side.rollouts.height, "answer")]
    told += [duration(side.seconds)] if side.seconds else []
    seed = side.run.manifest["recipe"].get("seed")
    told += [f"seed {seed}"] if seed is not None else []
    told += [f"reward {side.reward_sha256[:8]}"] if side.reward_sha256 else []
    return " · ".join(told)


# ---- curves ----------------------------------------------------------------------------------------------


def _curves(found: RunComparison) -> Html | None:
    names = [side.name for side in found.sides]
    body: list[Child] = []
    if REWARD in found.measured:
        body.append(_reward(found, names))
    figures = [_term(found, name, names) for name in found.terms]
    figures += [
        _figure(OTHERS[name], curves, overlay(curves, names, share=True))
        for name, curves in found.curves.items()
    ]
    if not body and not figures:
        return None
    note = (
        "Thin: each step. Strong: the mean of five. A term is shown by its raw scores, over the answers that"
        " were scored at all; what failed a gate is not among them."
    )
    if not found.same_reward:
        body.insert(0, el("p", {"class": "warning"}, f"Totals are not drawn: {'; '.join(found.unlike)}."))
    if found.apart:
        apart = "; ".join(f"{name}: {why}" for name, why in found.apart.items())
        body.insert(0, el("p", {"class": "warning"}, f"Terms of one name that are not one thing: {apart}."))
    return section("curves", "Curves", note, *body, el("div", {"class": "multiples"}, figures))


def _reward(found: RunComparison, names: Sequence[str]) -> Html:
    curves = [curve_of(name, each) for name, each in zip(names, found.measured[REWARD], strict=True)]
    level = next((each for each in found.levels if each.name == REWARD), None)
    reached = [each.step if each else None for each in level.reached] if level else []
    value = level.value if level else None
    charts = [overlay(curves, names, wide=wide, level=value, reached=reached) for wide in (True, False)]
    words = f"Dashed: {level.of}, and the step at which each run first reaches it." if level else ""
    return el(
        "figure",
        {"class": "reward"},
        el("figcaption", {}, el("b", {}, "Mean reward"), el("span", {"class": "readout"}, _ends(curves))),
        charts,
        el("p", {"class": "legend"}, words),
    )


def _term(found: RunComparison, name: str, names: Sequence[str]) -> Html | None:
    curves = [curve_of(run, each) for run, each in zip(names, found.measured[name], strict=True)]
    known = [value for curve in curves if curve for value in curve.known]
    if not known:
        return None
    share = all(0 <= value <= 1 for value in known)
    return _figure(name, curves, overlay(curves, names, share=share))


def _figure(title: str, curves: Sequence[Curve | None], chart: Html) -> Html:
    readout = el("span", {"class": "readout"}, _ends(curves))
    return el("figure", {}, el("figcaption", {}, el("b", {}, title), readout), chart)


def _ends(curves: Sequence[Curve | None]) -> Child:
    """Every run's last fifth, in its colour."""
    shown: list[Child] = []
    for index, curve in enumerate(curves):
        ends = curve.ends() if curve else None
        shown.append(" · " if index else None)
        shown.append(el("span", {"class": tone(index)}, number(ends[1] if ends else None)))
    return shown


# ---- levels ----------------------------------------------------------------------------------------------


def _levels(found: RunComparison) -> Html | None:
    if not found.levels:
        return None
    first = min(side.run.steps()[0] for side in found.sides)
    last = max(side.run.steps()[-1] for side in found.sides)
    heads = ("level", "run", "reached at step", "95 % interval", "resamplings that reach it")
    rows = [row for level in found.levels for row in _level_rows(found, level, first, last)]
    note = (
        "The first step at which the mean of five is at least the level. The interval comes from drawing the"
        " groups of each step anew: it says how well these curves are known, and nothing of another seed."
    )
    return section("levels", "Steps to a level", note, _table(heads, rows, "evaluations flat"))


def _level_rows(found: RunComparison, level: Level, first: int, last: int) -> list[Html]:
    rows: list[Html] = []
    for index, (side, each) in enumerate(zip(found.sides, level.reached, strict=True)):
        head = el("th", {"scope": "row"}, f"{level.name} {number(level.value)}", el("small", {}, level.of))
        cells: list[Child] = [head if index == 0 else el("td", {}), el("td", {}, _run(index, side))]
        if each is None:
            cells += [el("td", {}, "–"), el("td", {}, "no scores"), el("td", {}, "–")]
        else:
            step = "never" if each.step is None else f"{each.step}"
            chart = span_chart(each.step, each.low, each.high, first, last, index)
            cells += [el("td", {}, el("b", {}, step)), el("td", {}, chart, f" {between(each)}")]
            cells.append(el("td", {}, percent(each.share)))
        rows.append(el("tr", {}, cells))
    return rows


def between(each: Reach) -> str:
    """`5 to 9`, `5 to > 14` where it goes beyond the last step, `> 14` where hardly any resampling reaches
    it; unknown where a step has one group only.
    """
    if not each.known:
        return "unknown: one group a step"
    if each.low is None:
        return f"> {each.last}"
    return f"{each.low} to {each.high if each.high is not None else f'> {each.last}'}"


def _run(index: int, side: Side) -> Html:
    return el("span", {}, el("i", {"class": f"key {tone(index)}"}), side.name)


def _table(heads: Sequence[str], rows: Sequence[Html], kind: str) -> Html:
    head = el("tr", {}, [el("th", {"scope": "col"}, words) for words in heads])
    table = el("table", {"class": kind}, el("thead", {}, head), el("tbody", {}, rows))
    return el("div", {"class": "scroll"}, table)


# ---- win rates and differences ---------------------------------------------------------------------------


def _win_rates(found: RunComparison) -> Html | None:
    if not found.win_rates:
        return None
    heads = ("evaluation", "run", "pairs", "win rate", "95 % interval", "renders", "against")
    rows = [_win_row(found, each, at) for at, each in enumerate(found.win_rates)]
    note = (
        "Each trained policy against its own frozen base on held-out prompts. The last column is the"
        " difference to the first run, on the pairs whose base picture is the same in both; without"
        " such a pair there is none."
    )
    return section("winrates", "Win rates", note, _table(heads, rows, "evaluations flat"))


def _win_row(found: RunComparison, each: WinRate, at: int) -> Html:
    rate, low, high = (real(each.summary.get(f"win_rate{end}")) for end in ("", "_low", "_high"))
    is_first = at == 0 or found.win_rates[at - 1].name != each.name
    name = el("th", {"scope": "row"}, each.name) if is_first else el("td", {})
    renders = " → ".join(
        percent(real(each.summary.get(f"{side}_render_share"))) for side in ("base", "trained")
    )
    chart = el("span", {"class": tone(each.side)}, interval(rate, low, high))
    cells: list[Child] = [
        name,
        el("td", {}, _run(each.side, found.sides[each.side])),
        el("td", {}, str(each.summary.get("n", "–"))),
        el("td", {}, el("b", {}, number(rate))),
        el("td", {}, chart, f" {number(low)} – {number(high)}"),
        el("td", {}, renders),
        el("td", {}, against(found, each)),
    ]
    return el("tr", {}, cells)


def against(found: RunComparison, each: WinRate) -> str:
    """`+0.06 (−0.10 to +0.22) to a, on 24 pairs`; nothing for the first run."""
    if each.difference is None or each.against is None:
        return ""
    low, high = each.between or (None, None)
    said = "" if low is None else f" ({number(low, sign=True)} to {number(high, sign=True)})"
    whom = found.sides[each.against].name
    return f"{number(each.difference, sign=True)}{said} to {whom}, on {count(each.pairs, 'pair')}"


def _differences(found: RunComparison) -> Html:
    first = found.sides[0]
    parts: list[Child] = []
    for side in found.sides[1:]:
        lines = explain_difference(first.made_with(), side.made_with(), MOST_DIFFERENCES)
        parts.append(el("h3", {}, f"{first.name} → {side.name}"))
        parts.append(el("pre", {"class": "code"}, lines or "Nothing, to the last key."))
    return section(
        "differences",
        "What differs",
        "Recipes, policy, medium, scorers and judges, key by key.",
        el("div", {"class": "differs"}, parts),
    )
