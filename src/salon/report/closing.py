"""The gallery's frame, what failed, and the colophon."""

from typing import Any

from salon.files import yaml_text
from salon.markup import Html, el

from .facts import FailureCount, ReportData
from .markup import section
from .numbers import count, percent, shorten


def rooms(facts: ReportData, left_out: int) -> Html | None:
    """The gallery's frame; the page's script hangs the pictures."""
    if not facts.samples:
        return None
    note = (
        "Every answer of a step, with its reward. Choose one to see its code and what each term said of it."
    )
    if left_out:
        note += f" {count(left_out, 'step')} left out, evenly, to keep this file small; the run has them all."
    bar = el(
        "div",
        {"class": "bar"},
        el("button", {"type": "button", "id": "earlier", "aria-label": "Earlier step"}, "←"),
        el("input", {"type": "range", "id": "step", "min": 0, "value": 0, "aria-label": "Step"}),
        el("button", {"type": "button", "id": "later", "aria-label": "Later step"}, "→"),
        el("output", {"id": "where", "for": "step"}),
        el("label", {}, el("input", {"type": "checkbox", "id": "best"}), " best first"),
    )
    without = el("noscript", {}, el("p", {"class": "note"}, "The gallery needs the script inside this file."))
    return section("gallery", "The gallery", note, bar, without, el("div", {"id": "rooms"}))


def failures(facts: ReportData) -> Html | None:
    """Failures by code, most frequent first."""
    if not facts.samples:
        return None
    if not facts.failures:
        return section("failures", "What failed", "Nothing: every answer gave a picture.")
    most = facts.failures[0].amount
    lost = sum(failure.amount for failure in facts.failures)
    note = (
        f"{lost:,} of {count(facts.samples, 'answer')}, {percent(lost / facts.samples)}. "
        "A fault of the system gives no reward; a fault of the sample gives a low one."
    )
    rows = el("tbody", {}, [_failure(failure, most) for failure in facts.failures])
    return section("failures", "What failed", note, el("table", {"class": "failures"}, rows))


def _failure(failure: FailureCount, most: int) -> Html:
    blame = f"{failure.stage} · the {failure.fault}’s fault" if failure.fault else failure.stage
    return el(
        "tr",
        {},
        el("th", {"scope": "row"}, el("code", {}, shorten(failure.code, 240)), el("small", {}, blame)),
        el("td", {"class": "amount"}, f"{failure.amount:,}"),
        el("td", {"class": "share"}, el("meter", {"min": 0, "max": most, "value": failure.amount})),
        el("td", {"class": "said"}, failure.example[:240]),
    )


def colophon(facts: ReportData) -> Html:
    """The manifest: where every number came from."""
    manifest = {key: value for key, value in facts.manifest.items() if key != "format"}
    recipe, digest = manifest.pop("recipe"), manifest.pop("recipe_sha256")
    lines = [(key.replace("_", " "), _value(value)) for key, value in manifest.items()]
    shown = [("recipe", el("code", {}, digest)), *lines]
    terms = [[el("dt", {}, key), el("dd", {}, value)] for key, value in shown]
    text = yaml_text.dumped(recipe)
    code = el("pre", {"class": "code", "tabindex": 0}, text)
    details = el("details", {}, el("summary", {}, "The resolved recipe"), code)
    note = "Where every number on this page comes from."
    return section("colophon", "Colophon", note, el("dl", {"class": "manifest"}, terms), details)


def _value(value: Any) -> Html | str:
    if isinstance(value, dict) and value:
        items = [el("li", {}, el("b", {}, str(key)), " ", _value(item)) for key, item in value.items()]
        return el("ul", {}, items)
    if value is None or value == {} or value == []:
        return "–"
    return ", ".join(str(item) for item in value) if isinstance(value, list) else str(value)
