"""A run under another reward, as one page: which pictures rose and fell, and how far the two orders agree."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from salon.markup import Child, Html, el
from salon.number_text import number
from salon.pool.provenance import provenance_of_run
from salon.store.runs import Run, write_atomic

from .charts import line_chart
from .facts import Curve
from .histogram import histogram
from .markup import section
from .numbers import brief_name, count, percent, shorten
from .static_page import static_cover, static_page
from .thumbnails import Thumbnails, frame

MOST_MOVERS = 12
MOST_GROUPS = 5
WIDEST_GROUP = 12
SIZE = 260
LONGEST_PROMPT = 300


def build_rescored_page(
    run: Run, ranks: pl.DataFrame, summary: Mapping[str, Any], provenance: Mapping[str, Any], out: Path
) -> Path:
    """Write the page of a rescored run; returns its path.

    Args:
        run: the original, whose pictures are shown.
        ranks: one row per sample, as `salon.rescoring` makes them.
        summary: how far the two orders agree.
        provenance: both rewards' hashes and where the scores come from.
        out: the file to write.
    """
    write_atomic(out, page(run, ranks, summary, provenance).encode("utf-8", "replace"))
    return out


def page(run: Run, ranks: pl.DataFrame, summary: Mapping[str, Any], provenance: Mapping[str, Any]) -> str:
    """The whole page as text."""
    thumbnails = Thumbnails(run)
    name = run.path.resolve().name
    parts = [
        ("movers", "Risers and fallers", _movers(ranks, thumbnails)),
        ("orders", "Groups, reordered", _orders(ranks, thumbnails)),
        ("agreement", "How far they agree", _agreement(ranks)),
        ("sources", "Where the scores come from", _sources(provenance)),
    ]
    shown = [(anchor, words, part) for anchor, words, part in parts if part is not None]
    reward = brief_name(Path(str(provenance["recipe_file"])).stem, 40)
    mark = f"a run under another reward  ·  {name}"
    told = provenance_of_run(run.manifest, map(str, dict(provenance.get("identities") or {}).values()))
    figures = _figures(summary, provenance)
    cover = static_cover(mark, f"{name} by {reward}", story(summary, provenance), figures, note=told)
    return static_page(f"{name} by {reward}", cover, shown)


def story(summary: Mapping[str, Any], provenance: Mapping[str, Any]) -> str:
    """What the other reward changes, in numbers."""
    said = [
        f"{count(summary['samples'], 'answer')} of a finished run, rewarded anew; nothing was sampled again."
    ]
    if summary["tau"] is not None:
        said.append(
            f"Inside its {count(summary['tau_groups'], 'group')} the new order agrees with the old one by a"
            f" Kendall τ of {number(summary['tau'])}{_interval(summary, 'tau')}."
        )
    if summary["crowned"] is not None:
        said.append(f"In {percent(summary['crowned'])} of the groups another picture is the best.")
    if summary["lost"] or summary["gained"]:
        said.append(f"{summary['lost']:,} answers lost their reward, and {summary['gained']:,} got one.")
    for name, failed in (summary.get("gated") or {}).items():
        said.append(
            f"{failed:,} of {summary['rewarded']:,} answers with a reward fail the gate {name}, and the terms"
            " behind it count for nothing."
        )
    asked = _total(provenance, "asked")
    said.append("No judge or scorer was asked." if not asked else f"{asked:,} scores had to be asked for.")
    return " ".join(said)


def _interval(summary: Mapping[str, Any], name: str) -> str:
    low, high = summary[f"{name}_low"], summary[f"{name}_high"]
    return "" if low is None else f" ({percent(0.95)} interval {number(low)} to {number(high)})"


def _total(provenance: Mapping[str, Any], key: str) -> int:
    return sum(term[key] for term in provenance["terms"].values())


def _figures(summary: Mapping[str, Any], provenance: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    shown: list[tuple[str, str, str]] = []
    if summary["tau"] is not None:
        low, high = summary["tau_low"], summary["tau_high"]
        between = "the same in all groups" if low is None else f"{number(low)} to {number(high)}"
        shown.append((number(summary["tau"]), "Kendall τ inside groups", between))
    if summary["crowned"] is not None:
        between = f"{percent(summary['crowned_low'])} to {percent(summary['crowned_high'])}"
        shown.append((percent(summary["crowned"]), "of groups have a new best", between))
        shown.append((number(summary["moved"], 1), "places moved", "by the average answer"))
    reused, asked = _total(provenance, "reused"), _total(provenance, "asked")
    shown.append((f"{reused:,}", "scores taken over", f"{asked:,} asked for"))
    return shown


# ---- what rose and fell ----------------------------------------------------------------------------------


def _movers(ranks: pl.DataFrame, thumbnails: Thumbnails) -> Html | None:
    moved = ranks.filter(pl.col("tau").is_not_null())
    if ranks.height and not moved.height:
        told = "No group has an order under both rewards: nothing rises or falls."
        return section("movers", "Risers and fallers", told)
    change = (pl.col("rose") / (pl.col("ordered") - 1)).alias("change")
    moved = moved.with_columns(change).sort(["change", "step", "sample_id"], descending=[True, False, False])
    up = moved.filter(pl.col("rose") > 0).head(MOST_MOVERS).to_dicts()
    down = moved.filter(pl.col("rose") < 0).sort("change", maintain_order=True).head(MOST_MOVERS).to_dicts()
    if not up and not down:
        return section("movers", "Risers and fallers", "Nothing moved: both rewards give the same order.")
    note = (
        "The answers that moved furthest inside their groups. Under each, what pushed it: how much more, or"
        " less, a term sets it apart from its group than before, in standard deviations of the group’s"
        " rewards."
    )
    body: list[Child] = []
    for word, rows in (("Rose", up), ("Fell", down)):
        if rows:
            arrow = el("span", {"class": "up" if word == "Rose" else "down"}, "↑" if word == "Rose" else "↓")
            body.append(el("h3", {}, arrow, word))
            body.append(el("div", {"class": "movers"}, [_mover(row, thumbnails) for row in rows]))
    return section("movers", "Risers and fallers", note, *body)


def _mover(row: Mapping[str, Any], thumbnails: Thumbnails) -> Html:
    way = "up" if row["rose"] > 0 else "down"
    places = f"{_place(row['place_before'])} → {_place(row['place_after'])}"
    return el(
        "figure",
        {},
        frame(thumbnails.uri(row["picture"], SIZE), row["failure_code"], "moved"),
        el(
            "figcaption",
            {},
            el(
                "span",
                {"class": "places"},
                places,
                el("small", {}, f"of {row['ordered']} · step {row['step']}"),
            ),
            el("i", {}, shorten(row["prompt"], LONGEST_PROMPT)),
            _pushes(row, way),
        ),
    )


def _place(place: float) -> str:
    """7, or 2½ for a tie of two."""
    half = "½" if place % 1 else ""
    return f"{int(place)}{half}"


def _pushes(row: Mapping[str, Any], way: str) -> Html:
    """The terms that explain the move best, in its direction."""
    sign = 1 if way == "up" else -1
    along = sorted(row["pushes"], key=lambda each: -sign * each["push"])
    shown = [each for each in along if sign * each["push"] > 0.05][:2] or along[:1]
    words = ", ".join(f"{brief_name(each['term'])} {number(each['push'], 1, sign=True)}" for each in shown)
    return el("b", {"class": way}, words)


# ---- groups in both orders -------------------------------------------------------------------------------


def _orders(ranks: pl.DataFrame, thumbnails: Thumbnails) -> Html | None:
    ordered = ranks.filter(pl.col("place_before").is_not_null() & pl.col("tau").is_not_null())
    keys = ordered.group_by("step", "group").agg(pl.col("tau").first()).sort("tau", "step", "group")
    shown = keys.filter(pl.col("tau") < 1).head(MOST_GROUPS)
    if shown.is_empty():
        return None
    figures = [
        _order(
            ordered.filter((pl.col("step") == step) & (pl.col("group") == group)).to_dicts(), tau, thumbnails
        )
        for step, group, tau in shown.iter_rows()
    ]
    note = (
        "The groups whose order changed most, best answer first: above as the run saw it, below by the new"
        " reward."
    )
    return section("orders", "Groups, reordered", note, el("div", {"class": "orders"}, figures))


def _order(rows: list[dict[str, Any]], tau: float, thumbnails: Thumbnails) -> Html:
    before = sorted(rows, key=lambda row: (row["place_before"], row["sample_id"]))[:WIDEST_GROUP]
    after = sorted(rows, key=lambda row: (row["place_after"], row["sample_id"]))[:WIDEST_GROUP]
    first = rows[0]
    caption = el(
        "figcaption",
        {},
        el("i", {}, shorten(first["prompt"], LONGEST_PROMPT)),
        el("span", {}, f"step {first['step']} · τ {number(tau)}"),
    )
    return el(
        "figure",
        {},
        caption,
        el("p", {"class": "side"}, "before"),
        _strip(before, thumbnails),
        _ribbons([row["sample_id"] for row in before], [row["sample_id"] for row in after]),
        _strip(after, thumbnails),
        el("p", {"class": "side"}, "after"),
    )


def _strip(rows: Sequence[Mapping[str, Any]], thumbnails: Thumbnails) -> Html:
    frames = [frame(thumbnails.uri(row["picture"], SIZE), row["failure_code"], "ordered") for row in rows]
    return el("div", {"class": f"order of-{len(rows)}"}, frames)


def _ribbons(before: Sequence[str], after: Sequence[str]) -> Html:
    """Lines from each answer's place above to its place below."""
    width, place = 1000.0 / len(before), {name: index for index, name in enumerate(after)}
    lines: list[Html] = []
    for index, name in enumerate(before):
        if name in place:
            a, b = (index + 0.5) * width, (place[name] + 0.5) * width
            way = "up" if b < a else "down" if b > a else ""
            path = f"M{a:.1f} 0C{a:.1f} 50 {b:.1f} 50 {b:.1f} 100"
            lines.append(el("path", {"class": f"ribbon {way}".strip(), "d": path}))
    box = {
        "viewBox": "0 0 1000 100",
        "preserveAspectRatio": "none",
        "class": "ribbons",
        "aria-hidden": "true",
    }
    return el("svg", box, lines)


# ---- agreement and sources -------------------------------------------------------------------------------


def _agreement(ranks: pl.DataFrame) -> Html | None:
    groups = ranks.filter(pl.col("tau").is_not_null()).group_by("step", "group").agg(pl.col("tau").first())
    if groups.is_empty():
        return None
    figures = [
        el(
            "figure",
            {},
            _caption("τ of each group", f"{groups.height:,}"),
            histogram(groups["tau"].to_list(), -1, 1),
        )
    ]
    steps = groups.group_by("step").agg(pl.col("tau").mean()).sort("step")
    if steps.height > 1:
        curve = Curve("mean τ of a step’s groups", steps["step"].to_list(), steps["tau"].to_list())
        span = (curve.steps[0], curve.steps[-1])
        figures.append(
            el("figure", {}, _caption("Over the steps", "mean of a step"), line_chart(curve, span))
        )
    note = "1: the same order. 0: no relation. −1: the opposite order."
    return section("agreement", "How far they agree", note, el("div", {"class": "facing"}, figures))


def _caption(title: str, small: str) -> Html:
    return el("figcaption", {}, el("b", {}, title), f" · {small}")


def _sources(provenance: Mapping[str, Any]) -> Html:
    heads = ("term", "recorded as", "taken over", "asked for", "answered", "")
    rows = [
        el(
            "tr",
            {},
            el("th", {"scope": "row"}, brief_name(name)),
            el("td", {}, brief_name(term["recorded_as"] or "–")),
            [el("td", {"class": "num"}, f"{term[key]:,}") for key in ("reused", "asked", "answered")],
            el("td", {"class": "said"}, shorten(term["note"])),
        )
        for name, term in provenance["terms"].items()
    ]
    head = el(
        "tr",
        {},
        [el("th", {"scope": "col", "class": "num" if 1 < at < 5 else None}, w) for at, w in enumerate(heads)],
    )
    table = el("table", {"class": "terms-list"}, el("thead", {}, head), el("tbody", {}, rows))
    shown = [
        ("run", shorten(str(provenance["of"]))),
        ("its recipe", el("code", {}, provenance["of_recipe_sha256"])),
        ("its reward", el("code", {}, provenance["of_reward_sha256"])),
        (
            "the other reward",
            [str(provenance["recipe_file"]), " ", el("code", {}, provenance["reward_sha256"])],
        ),
    ]
    facts = [[el("dt", {}, key), el("dd", {}, value)] for key, value in shown]
    note = "A score is taken over where its scorer, arguments, version and judge are still the same."
    return section(
        "sources",
        "Where the scores come from",
        note,
        el("div", {"class": "scroll"}, table),
        el("h3", {}, "Hashes"),
        el("dl", {"class": "manifest"}, facts),
    )
