"""The cover: the title, what happened in a sentence with numbers, one picture, four figures."""

from typing import Any

import polars as pl

from salon.markup import Html, el
from salon.number_text import number
from salon.pool.provenance import provenance_of_run

from .facts import Curve, ReportData, is_heldout_judge, real
from .markup import note_of
from .numbers import count, duration, moved, percent, shorten
from .thumbnails import Thumbnails

SIZE = 560


def cover(facts: ReportData, thumbnails: Thumbnails) -> Html:
    """The title, what happened in a sentence, and one picture."""
    made = str(facts.manifest.get("created", ""))[:10]
    mark = el("p", {"class": "mark"}, el("b", {}, "salon"), f"  ·  the record of a training run  ·  {made}")
    said = [el("p", {"class": "story"}, story(facts))]
    said += [note] if (note := note_of(rated(facts))) else []
    words = el("div", {}, el("h1", {}, facts.title), said)
    front = el("div", {"class": "front"}, words, _picture(facts, thumbnails))
    return el("header", {"class": "cover"}, mark, front, _figures(facts))


def story(facts: ReportData) -> str:
    """What happened, in numbers. Start and end mean the first and the last fifth of the steps."""
    if not facts.steps:
        return "Nothing was recorded yet: the run has a manifest, and no step."
    said = [f"In {count(len(facts.steps), 'step')} the policy answered {count(facts.samples, 'time')}."]
    if facts.samples and not facts.reward.known:
        said.append("No answer got a reward.")
    return " ".join(said + _changes(facts) + _verdict(facts))


def rated(facts: ReportData) -> str:
    """Whose ratings stand behind the judges and references, where they are of the pool that ships."""
    names = [str(each.get("judge_identity", "")) for each in facts.evaluations.values()]
    return provenance_of_run(facts.manifest, names)


def _changes(facts: ReportData) -> list[str]:
    """How the curves moved. Of how many steps their ends are means is said once."""
    said: list[str] = []
    known = ""
    for what, curve, show in (
        ("The mean reward", facts.reward, number),
        ("The share of answers that render", facts.renders, percent),
    ):
        ends = curve.ends()
        if ends is None:
            continue
        verb, size = moved(*ends), curve.averaged()
        if verb == "stayed":
            said.append(f"{what} stayed at {show(ends[1])}.")
            continue
        told = f" (at each end the {size})" if size and size != known else ""
        known = size or known
        said.append(f"{what} {verb} from {show(ends[0])} to {show(ends[1])}{told}.")
    return said


def _summary(facts: ReportData) -> dict[str, Any]:
    return facts.evaluations.get(facts.pairs_from or "", {})


def _between(summary: dict[str, Any]) -> str:
    low, high = real(summary.get("win_rate_low")), real(summary.get("win_rate_high"))
    return (
        "" if low is None or high is None else f"{percent(0.95)} interval {percent(low)} to {percent(high)}"
    )


def _verdict(facts: ReportData) -> list[str]:
    summary = _summary(facts)
    rate, between = real(summary.get("win_rate")), _between(summary)
    if rate is None:
        return []
    amount = count(int(summary.get("n") or len(facts.pairs)), "held-out pair")
    judge = " by a judge it was not trained on" if is_heldout_judge(summary, facts.manifest) else ""
    won = f"On {amount} the trained policy wins {percent(rate)} against its frozen base{judge}"
    return [f"{won} ({between})." if between else f"{won}."]


def _picture(facts: ReportData, thumbnails: Thumbnails) -> Html | None:
    painted = facts.rollouts.filter(pl.col("picture").is_not_null() & pl.col("total").is_not_null())
    if painted.is_empty():
        return None
    best = painted.sort("step", "total").row(-1, named=True)
    uri = thumbnails.uri(best["picture"], SIZE)
    if uri is None:
        return None
    told = f" Step {best['step']}, the highest reward of the last step: {number(best['total'])}."
    prompt = shorten(best["prompt"])
    caption = el("figcaption", {}, el("i", {}, prompt), told)
    return el("figure", {"class": "cover-picture"}, el("img", {"src": uri, "alt": prompt}), caption)


def _figures(facts: ReportData) -> Html | None:
    shown: list[tuple[str, str, str]] = []
    for label, curve, show in (
        ("mean reward", facts.reward, number),
        ("of answers render", facts.renders, percent),
    ):
        if ends := curve.ends():
            shown.append((show(ends[1]), label, _at_the_start(curve, show(ends[0]))))
    shown += _win_rate(facts)
    if facts.seconds:
        shown.append((duration(facts.seconds), "of work", f"{count(facts.samples, 'answer')} in all"))
    cells = [
        el("div", {}, el("dd", {}, big), el("dt", {}, label, el("span", {}, small)))
        for big, label, small in shown
    ]
    return el("dl", {"class": "figures"}, cells) if cells else None


def _win_rate(facts: ReportData) -> list[tuple[str, str, str]]:
    summary = _summary(facts)
    rate = real(summary.get("win_rate"))
    if rate is not None:
        return [(percent(rate), "won against the frozen base", _between(summary))]
    ends = facts.win_rate.ends()
    if not ends:
        return []
    return [(percent(ends[1]), "won against references", _at_the_start(facts.win_rate, percent(ends[0])))]


def _at_the_start(curve: Curve, value: str) -> str:
    size = curve.averaged()
    return f"{value} at the start" + (f"; each the {size}" if size else "")
