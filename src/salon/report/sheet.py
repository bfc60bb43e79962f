"""The contact sheet: before and after on held-out prompts, and what the judges said."""

from typing import Any

from salon.markup import Child, Html, el
from salon.number_text import number

from .charts import interval
from .facts import ReportData, is_heldout_judge, real, spread
from .gallery import LONGEST_SOURCE
from .markup import section
from .numbers import percent, shorten
from .thumbnails import Thumbnails, frame

MOST_PAIRS = 24
SIZE = 400
HEADS = ("evaluation", "judge", "pairs", "win rate", "95 % interval", "base renders", "trained renders")


def sheet(facts: ReportData, thumbnails: Thumbnails) -> Html | None:
    """Before and after on held-out prompts: the same prompt, the same seed."""
    if not facts.evaluations:
        return None
    shown = chosen_pairs(facts)
    note = "Held-out prompts: left the frozen base, right the trained policy, with the same prompt and seed."
    if len(shown) < len(facts.pairs):
        note += f" {len(shown)} of {len(facts.pairs)} pairs, evenly chosen."
    plates = [_pair(index, row, thumbnails) for index, row in enumerate(shown)]
    pairs = el("div", {"class": "pairs"}, plates) if plates else None
    return section("pairs", "Before and after", note, pairs, _evaluations(facts))


def chosen_pairs(facts: ReportData) -> list[dict[str, Any]]:
    """The pairs that are shown: all, or MOST_PAIRS of them, evenly."""
    return [facts.pairs[index] for index in spread(range(len(facts.pairs)), MOST_PAIRS)]


def pair_data(facts: ReportData) -> list[dict[str, Any]]:
    """The sources behind the contact sheet, in its order, for the page's close view."""
    return [
        {
            "prompt": _text(row.get("prompt")),
            "seed": row.get("seed"),
            "p": real(row.get("p_win")),
            "reason": _text(row.get("reason")) or "",
            "sides": [_side(row, side) for side in ("base", "trained")],
        }
        for row in chosen_pairs(facts)
    ]


def _pair(index: int, row: dict[str, Any], thumbnails: Thumbnails) -> Html:
    prompt = _text(row.get("prompt")) or ""
    label = f"Look closely: {prompt}"
    return el(
        "figure",
        {"class": "pair"},
        el(
            "button",
            {"type": "button", "class": "open", "data-pair": index, "aria-label": label},
            frame(thumbnails.uri(row.get("base_picture"), SIZE), _code(row.get("base_failure")), "before"),
            frame(
                thumbnails.uri(row.get("trained_picture"), SIZE), _code(row.get("trained_failure")), "after"
            ),
        ),
        el("figcaption", {}, el("i", {}, f"{index + 1}. {prompt}"), _outcome(row)),
    )


def _side(row: dict[str, Any], side: str) -> list[str | None]:
    return [_text(row.get(f"{side}_source"), LONGEST_SOURCE), _text(row.get(f"{side}_failure"))]


def _text(value: Any, most: int = 2_000) -> str | None:
    return None if value is None else shorten(str(value), most)


def _code(failure: str | None) -> str:
    return shorten((failure or "").partition(":")[0], 200)


def _outcome(row: dict[str, Any]) -> Html:
    chance = real(row.get("p_win"))
    if chance is None:
        return el("span", {"class": "verdict"}, "not judged")
    sides = {"before": _code(row.get("base_failure")), "after": _code(row.get("trained_failure"))}
    failed = ", ".join(f"{side}: {code.replace('_', ' ')}" for side, code in sides.items() if code)
    if chance == 0.5:
        return el("span", {"class": "verdict"}, f"a tie · {failed}" if failed else "a tie")
    won = chance > 0.5
    words = f"{'after' if won else 'before'} wins · {failed or number(chance)}"
    return el("span", {"class": "verdict won" if won else "verdict"}, words)


def _evaluations(facts: ReportData) -> Html:
    rows = [
        _row(name, summary, is_heldout_judge(summary, facts.manifest))
        for name, summary in facts.evaluations.items()
    ]
    head = el("tr", {}, [el("th", {"scope": "col"}, text) for text in HEADS])
    table = el("table", {"class": "evaluations"}, el("thead", {}, head), el("tbody", {}, rows))
    return el("div", {"class": "scroll"}, table)


def _row(name: str, summary: dict[str, Any], unseen: bool) -> Html:
    rate, low, high = (real(summary.get(f"win_rate{end}")) for end in ("", "_low", "_high"))
    cells: list[Child] = [
        [str(summary.get("judge", "–")), el("small", {}, "not trained on") if unseen else None],
        str(summary.get("n", "–")),
        el("b", {}, number(rate)),
        [interval(rate, low, high), f" {number(low)} – {number(high)}"],
        percent(real(summary.get("base_render_share"))),
        percent(real(summary.get("trained_render_share"))),
    ]
    return el("tr", {}, el("th", {"scope": "row"}, name), [el("td", {}, cell) for cell in cells])
