"""The samples of each step, as the data that the page's gallery shows.

A model wrote these texts. They travel as JSON that cannot end its element, and the page shows them as text.
"""

from typing import Any

from .facts import ReportData
from .markup import json_block
from .numbers import shorten
from .thumbnails import Thumbnails

THUMBNAIL = 400
LONGEST_SOURCE = 20_000


def gallery(facts: ReportData, thumbnails: Thumbnails, budget: int) -> dict[str, Any]:
    """Steps with their groups and samples, and the pictures they name.

    Steps are added from both ends inwards, evenly, until `budget` bytes are used.

    Returns:
        `terms`, `steps` (each with `groups`), `pictures` (data URIs by key), and `left_out`, the number of
        steps that did not fit.
    """
    present = sorted(set(facts.rollouts["step"].to_list()))
    chosen: dict[int, dict[str, Any]] = {}
    pictures: dict[str, str] = {}
    used = 0
    for step in evenly(present):
        entry, needed = _step(facts, step)
        found = {key: uri for key in needed if (uri := thumbnails.uri(key, THUMBNAIL))}
        size = len(json_block("step", entry)) + sum(
            len(uri) for key, uri in found.items() if key not in pictures
        )
        if chosen and used + size > budget:
            break
        used += size
        chosen[step] = entry
        pictures |= found
    names = [term.name for term in facts.terms]
    left_out = len(present) - len(chosen)
    return {
        "terms": names,
        "steps": [chosen[step] for step in sorted(chosen)],
        "pictures": pictures,
        "left_out": left_out,
    }


def evenly(steps: list[int]) -> list[int]:
    """`steps` in an order whose every beginning is spread over the whole: last, first, middle, quarters …"""
    order: list[int] = []
    if steps:
        order = [steps[-1], steps[0]]
    gaps = [(0, len(steps) - 1)]
    while gaps:
        low, high = gaps.pop(0)
        middle = (low + high) // 2
        if low < middle < high:
            order.append(steps[middle])
            gaps += [(low, middle), (middle, high)]
    return list(dict.fromkeys(order))


def _step(facts: ReportData, step: int) -> tuple[dict[str, Any], list[str]]:
    rows = facts.rollouts.filter(facts.rollouts["step"] == step).to_dicts()
    groups: dict[int, dict[str, Any]] = {}
    names = [term.name for term in facts.terms]
    for row in rows:
        group = groups.setdefault(row["group"], {"prompt": shorten(row["prompt"]), "samples": []})
        group["samples"].append(_sample(row, names))
    needed = [row["picture"] for row in rows if row["picture"]]
    return {"step": step, "groups": list(groups.values())}, needed


def _sample(row: dict[str, Any], terms: list[str]) -> dict[str, Any]:
    text = row["source"] if row["source"] is not None else row["reply"]
    return {
        "id": shorten(row["sample_id"]),
        "picture": row["picture"],
        "source": shorten(text or "", LONGEST_SOURCE),
        "extracted": row["source"] is not None,
        "tokens": row["tokens"],
        "truncated": row["truncated"],
        "seed": row["seed"],
        "seconds": row["seconds_render"],
        "failure": _failure(row),
        "total": row["total"],
        "advantage": row["advantage"],
        "terms": [_term(row, name) for name in terms],
    }


def _failure(row: dict[str, Any]) -> list[str] | None:
    if row["failure_code"] is None:
        return None
    return [
        shorten(row["failure_code"]),
        shorten(row["failure_message"] or ""),
        row["failure_fault"] or "",
    ]


def _term(row: dict[str, Any], name: str) -> list[Any]:
    numbers = [_round(row[f"{name}.{part}"]) for part in ("raw", "normalized", "weighted")]
    return [*numbers, row[f"{name}.status"], shorten(row[f"{name}.reason"] or "")]


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 5)
