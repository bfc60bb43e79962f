"""A diagnosis as a notebook shows it: the verdict, and each finding with its remedy."""

from salon.diagnosis.diagnosis import Diagnosis
from salon.markup import el
from salon.notebook import line, table, text

from .terminal import CHECKS, described, verdict


def shown(found: Diagnosis) -> str:
    """What the terminal's summary says in words; the drawings are on the page of `salon diagnose --html`."""
    rows = [
        (each.level, el("b", None, text(each.title)), text(each.wrong), text(each.remedy))
        for each in found.findings
    ]
    unchecked = [f"{CHECKS[each.kind]} (needs {each.needs})" for each in found.unchecked]
    return el(
        "div",
        None,
        line(text(described(found.table))),
        line(el("b", None, text(verdict(found)))),
        table(("", "finding", "what is wrong", "remedy"), rows),
        line(text(f"not checked: {'; '.join(unchecked)}")) if unchecked else None,
    )
