"""Mode collapse: answers that repeat one another, and pictures that grow alike."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from salon.diagnosis.estimates import Z_95, wilson
from salon.diagnosis.finding import Finding, Number, Unchecked
from salon.diagnosis.pages.words import percent, with_interval
from salon.diagnosis.table import Bools, Floats, Ints, Table
from salon.errors import SetupError, StoreError
from salon.judges.learned.features import Features
from salon.raster import decode
from salon.store.runs import Run

from .enough_data import FEWEST, alone

REPEATS = 0.30
GROWTH = 0.15
MOST = 0.50
LOST = 0.70
GROUPS, EACH = 12, 6
"""Repeats are a problem from 30 % on, when they grew by 15 points (or there are no steps to compare); without
that from 50 % on for sure, and a notice below.
Pictures grow alike when the distance between them falls below 70 % for sure; 12 groups of 6 pictures are
looked at, at the start and at the end."""


@dataclass(frozen=True, slots=True)
class Distances:
    """How far apart pictures are, early and late: inside groups, and between groups."""

    within: tuple[Number, Number]
    between: tuple[Number, Number]
    within_ratio: Number
    between_ratio: Number
    pictures: int


def check_diversity(table: Table, apart: Distances | None) -> list[Finding | Unchecked]:
    """Findings for repeats inside groups, repeats between prompts, and pictures that grow alike."""
    if table.answer_N is None or not (table.answer_N >= 0).any():
        return [
            Unchecked("diversity", "a column `completion` or `picture` (a name or hash of what came out)")
        ]
    results = [*_repeats(table), *_between_prompts(table), *([] if apart is None else _alike(apart))]
    if results:
        return results
    late = _repeat_share(table, table.late_N)
    if late is None or late.count < FEWEST:
        return [
            Unchecked("diversity", alone(table) or f"groups with {FEWEST} answers or more beside their first")
        ]
    said = f"{percent(late.value)} of the answers repeat another one of their group."
    numbers = {"repeats": late}
    if apart is not None:
        said += f" Pictures are {percent(apart.within_ratio.value)} as far apart as at the start."
        numbers["distance_ratio"] = apart.within_ratio
    return [Finding("diversity", "fine", "Answers still differ", said, numbers=numbers)]


def first_third(table: Table) -> Bools | None:
    """The first third of the steps, where there are enough to have one."""
    if not table.has_late or table.step_N is None:
        return None
    return table.step_N <= table.steps[len(table.steps) // 3 - 1]


def _repeat_share(table: Table, rows_N: Bools) -> Number | None:
    """The share of answers that are the same as another one of their unit that came before."""
    assert table.answer_N is not None
    chosen_N = rows_N & (table.answer_N >= 0)
    if not table.grouped or chosen_N.sum() < 2:
        return None
    pair = table.unit_N[chosen_N] * (int(table.answer_N.max()) + 1) + table.answer_N[chosen_N]
    distinct = len(np.unique(pair))
    later = int(chosen_N.sum()) - len(np.unique(table.unit_N[chosen_N]))
    return wilson(float(chosen_N.sum() - distinct), later) if later else None


def _repeats(table: Table) -> list[Finding | Unchecked]:
    late, early_N = _repeat_share(table, table.late_N), first_third(table)
    early = None if early_N is None else _repeat_share(table, early_N)
    return _judged(
        ("repeats", late, early),
        "Answers repeat inside groups",
        "of the answers are the very same as another one of their group",
        "Raise the sampling temperature or the KL weight, or reward differing inside a group.",
        0.7,
    )


def _judged(
    share: tuple[str, Number | None, Number | None], title: str, said: str, remedy: str, urgency: float
) -> list[Finding | Unchecked]:
    """What a share of repeats is worth. share: its name, late, and at the start where there are steps."""
    name, late, early = share
    if late is None or late.value < REPEATS:
        return []
    told = f"{with_interval(late, as_percent=True)} {said}"
    if (late.low or 0.0) < REPEATS * 0.7:
        return [Unchecked("diversity", f"more answers: {told}")]
    started = "" if early is None else f", {percent(early.value)} at the start"
    rose = early is None or late.value - early.value >= GROWTH
    level = "problem" if rose or (late.low or 0.0) >= MOST else "notice"
    numbers = {name: late} | ({} if early is None else {f"{name}_at_start": early})
    return [Finding("diversity", level, title, f"{told}{started}.", remedy, (), numbers, urgency)]


def _between_prompts(table: Table) -> list[Finding | Unchecked]:
    """Answers that are given to several prompts alike."""
    assert table.answer_N is not None
    if table.prompt_N is None or len(np.unique(table.prompt_N)) < 2:
        return []
    early_N = first_third(table)
    return _judged(
        ("shared", _shared(table, table.late_N), None if early_N is None else _shared(table, early_N)),
        "One answer for many prompts",
        "of the answers are given to more than one prompt, unchanged",
        "It answers every prompt alike: add a term that checks the prompt (colour, subject, a checklist).",
        0.8,
    )


def _shared(table: Table, rows_N: Bools) -> Number | None:
    """The share of answers that another prompt has got, too."""
    assert table.answer_N is not None
    assert table.prompt_N is not None
    chosen_N = rows_N & (table.answer_N >= 0)
    if chosen_N.sum() < 10:
        return None
    answer, prompt = table.answer_N[chosen_N], table.prompt_N[chosen_N]
    pairs = np.unique(np.stack([answer, prompt], axis=1), axis=0)
    prompts_per_answer = np.bincount(pairs[:, 0], minlength=int(answer.max()) + 1)
    return wilson(float((prompts_per_answer[answer] > 1).sum()), len(answer))


# ---- pictures --------------------------------------------------------------------------------------------


def picture_distances(table: Table) -> Distances | None:
    """Distances between the pictures of a run, early and late, by a frozen network's features.

    At most 144 pictures are read. None when the table is no run, has too few steps, or has no pictures.
    """
    early_N = first_third(table)
    if table.run is None or table.pictures is None or early_N is None:
        return None
    run = Run.open(table.run)
    features = Features(layers=("head",))
    looked = [_embedded(run, table, rows_N, features) for rows_N in (early_N, table.late_N)]
    if any(len(groups) < 3 for groups in looked):
        return None
    inside = [np.array([_mean_distance(group) for group in groups]) for groups in looked]
    firsts = [[group[0] for group in groups] for groups in looked]
    outside = [_nearest(np.stack(rows)) for rows in firsts]
    return Distances(
        (_mean(inside[0]), _mean(inside[1])),
        (_mean(outside[0]), _mean(outside[1])),
        _ratio(*inside),
        _ratio(*outside),
        sum(len(group) for groups in looked for group in groups),
    )


def _embedded(run: Run, table: Table, rows_N: Bools, features: Features) -> list[Floats]:
    """For up to 12 evenly chosen groups, the unit vectors of up to 6 pictures each."""
    assert table.pictures is not None
    by_group: dict[int, list[str]] = {}
    for row in np.flatnonzero(rows_N):
        key = table.pictures[row]
        if key is not None:
            by_group.setdefault(int(table.group_N[row]), []).append(key)
    full = [keys[:EACH] for keys in by_group.values() if len(keys) >= 2]
    chosen = (
        [full[i] for i in np.unique(np.linspace(0, len(full) - 1, GROUPS).round().astype(int))]
        if full
        else []
    )
    groups: list[Floats] = []
    for keys in chosen:
        vectors = [vector for key in keys if (vector := _vector(run, key, features)) is not None]
        if len(vectors) >= 2:
            groups.append(np.stack(vectors))
    return groups


def _vector(run: Run, key: str, features: Features) -> Floats | None:
    try:
        picture = decode(run.read_picture(key))
    except (ValueError, StoreError):
        return None
    try:
        vector = features.of(picture, threads=1)
    except SetupError:
        vector = Features(kind="handmade").of(picture)
    return np.asarray(vector / (np.linalg.norm(vector) or 1.0), dtype=np.float64)


def _mean_distance(vectors_MD: Floats) -> float:
    return float(np.mean([np.linalg.norm(a - b) for a, b in combinations(vectors_MD, 2)]))


def _nearest(vectors_GD: Floats) -> Floats:
    """Each group's mean distance to the other groups' first pictures."""
    apart_GG = np.linalg.norm(vectors_GD[:, None] - vectors_GD[None], axis=-1)
    return apart_GG.sum(axis=1) / (len(vectors_GD) - 1)


def _mean(values_G: Floats) -> Number:
    half = Z_95 * float(values_G.std(ddof=1)) / np.sqrt(len(values_G))
    value = float(values_G.mean())
    return Number(value, value - half, value + half, len(values_G))


def _ratio(early_G: Floats, late_G: Floats) -> Number:
    """late / early with an interval on the logarithm's scale."""
    value = float(late_G.mean() / max(float(early_G.mean()), 1e-12))
    relative = [
        float(x.std(ddof=1)) / np.sqrt(len(x)) / max(float(x.mean()), 1e-12) for x in (early_G, late_G)
    ]
    half = Z_95 * float(np.hypot(*relative))
    return Number(
        value, value * float(np.exp(-half)), value * float(np.exp(half)), len(early_G) + len(late_G)
    )


def _alike(apart: Distances) -> list[Finding | Unchecked]:
    results: list[Finding | Unchecked] = []
    for ratio, where in ((apart.within_ratio, "inside groups"), (apart.between_ratio, "between prompts")):
        if ratio.value >= LOST:
            continue
        said = f"{with_interval(ratio, as_percent=True)} as far apart as at the start"
        said += f" (features of {apart.pictures} pictures)"
        if ratio.high is None or ratio.high >= LOST:
            results.append(Unchecked("diversity", f"more pictures: those {where} are {said}"))
            continue
        said = f"Pictures {where} are only {said}."
        remedy = "Look at the last step's gallery. Raise the temperature or the KL weight, or reward variety."
        title = f"Pictures grow alike {where}"
        numbers = {"distance_ratio": ratio}
        results.append(Finding("diversity", "problem", title, said, remedy, (), numbers, 1 - ratio.value))
    return results


def repeats_by_step(table: Table) -> tuple[Ints, Floats] | None:
    """The share of repeats inside groups in each step, for a curve."""
    if table.answer_N is None or table.step_N is None or not table.grouped:
        return None
    shares = [_repeat_share(table, table.step_N == step) for step in table.steps[:400]]
    kept = [(int(step), each.value) for step, each in zip(table.steps, shares, strict=False) if each]
    return np.array([step for step, _ in kept], np.int64), np.array([share for _, share in kept])
