"""Score tables with known faults, for tests, for the documentation, and to try `salon diagnose` on.

`nine_signals` has the structure that was published about a rubric that stuck (S. Narreddi, C. Franz, A. Wang,
"Training AI to Paint with Code", surya.website, March 2026): nine signals, five of them judges that correlate
at .85 to .95 and pile up near 0; a length ramp of a third of the weight that is saturated by step 30; and
HPSv3 at .10, the one term with real variance. The numbers themselves are drawn here.
"""

from collections.abc import Callable, Mapping

import numpy as np
import polars as pl

from .table import Floats, Ints

NINE_WEIGHTS: Mapping[str, float] = {
    "compile_gate": 0.05,
    "uses_brush": 0.05,
    "length": 0.32,
    "hpsv3": 0.10,
    "adherence": 0.08,
    "recognisability": 0.10,
    "aesthetics": 0.15,
    "technique": 0.08,
    "depth": 0.07,
}
JUDGES = ("adherence", "recognisability", "aesthetics", "technique", "depth")
_NOISE = (0.13, 0.10, 0.06, 0.11, 0.14)


def nine_signals(steps: int = 60, groups: int = 12, size: int = 8, seed: int = 0) -> pl.DataFrame:
    """The story's rollouts: `steps` × `groups` × `size` rows, with prompt_id, tokens, nine terms, total.

    Judges answer on 0–10 in halves; the other terms lie in 0–1. A sketch that does not compile has no other
    scores, and a total of 0.
    """
    rng = np.random.default_rng(seed)
    step_N = np.repeat(np.arange(steps), groups * size)
    group_N = np.repeat(np.arange(steps * groups), size)
    quality_N = rng.normal(0, 0.6, len(step_N)) + rng.normal(0, 0.3, steps * groups)[group_N]
    columns: dict[str, Floats] = {
        "compile_gate": _yes(rng, 0.93 + 0.05 * step_N / steps),
        "uses_brush": _yes(rng, np.full(len(step_N), 0.98)),
    }
    tokens_N = np.minimum(900 * 15 ** (step_N / 49), 13_500) * np.exp(rng.normal(0, 0.2, len(step_N)))
    columns["length"] = np.minimum(tokens_N / 3000, 1.0)
    own_N = 0.25 * quality_N / 0.67 + np.sqrt(1 - 0.25**2) * rng.normal(0, 1, len(step_N))
    columns["hpsv3"] = np.clip(0.5 + 0.25 * own_N, 0, 1).round(4)
    for place, (name, noise) in enumerate(zip(JUDGES, _NOISE, strict=True)):
        latent_N = 1.1 + 0.1 * place + quality_N + rng.normal(0, noise, len(step_N))
        columns[name] = np.clip(np.round(2 * latent_N) / 2, 0, 10)
    scaled = {name: values / 10 if name in JUDGES else values for name, values in columns.items()}
    total_N = np.sum([NINE_WEIGHTS[name] * scaled[name] for name in NINE_WEIGHTS], axis=0)
    scored_N = columns["compile_gate"] == 1
    shown = {name: values if name == "compile_gate" else np.where(scored_N, values, np.nan)
             for name, values in columns.items()}  # fmt: skip
    frame = pl.DataFrame(
        {
            "step": step_N,
            "prompt_id": [f"flower-{index % groups}" for index in group_N],
            "tokens": tokens_N.astype(np.int64),
            **shown,
            "total": np.where(scored_N, total_N, 0.0).round(6),
        }
    )
    return frame.with_columns(pl.col(list(NINE_WEIGHTS)).fill_nan(None))


def _yes(rng: np.random.Generator, rate_N: Floats) -> Floats:
    return (rng.random(len(rate_N)) < rate_N).astype(np.float64)


def nine_signal_weights() -> str:
    """NINE_WEIGHTS as `--weights` takes them."""
    return ",".join(f"{name}={weight:g}" for name, weight in NINE_WEIGHTS.items())


# ---- clean tables, and one fault at a time ---------------------------------------------------------------

Columns = dict[str, np.ndarray]


def clean(seed: int = 0, steps: int = 24, groups: int = 6, size: int = 8) -> pl.DataFrame:
    """A run in which nothing is wrong.

    Terms a to d are moderately related and use their scale, judge is on 0–10; total is their weighted sum;
    the human label and a held-out judge follow it; tokens and the order of pictures do not matter.
    """
    return pl.DataFrame(clean_columns(np.random.default_rng(seed), steps, groups, size))


def clean_columns(rng: np.random.Generator, steps: int, groups: int, size: int, rise: float = 0.8) -> Columns:
    """The columns of `clean`, to be spoiled. rise: how much the merit of the answers gains over the run."""
    count = steps * groups * size
    step_N = np.repeat(np.arange(steps), groups * size)
    group_N = np.repeat(np.arange(steps * groups), size)
    rise_N = rise * step_N / max(steps - 1, 1)
    merit_N = rng.normal(0, 1, count) + rng.normal(0, 0.4, steps * groups)[group_N] + rise_N

    def signal(loading: float) -> Floats:
        return loading * merit_N + np.sqrt(1 - loading**2) * rng.normal(0, 1, count)

    terms = {
        name: 0.5 + 0.12 * signal(loading) for name, loading in zip("wxyz", (0.3, 0.5, 0.6, 0.4), strict=True)
    }
    judge_N = np.clip(np.round(5 + 2 * signal(0.6)), 0, 10)
    total_N = np.sum([0.2 * terms[name] for name in terms], axis=0) + 0.2 * 0.06 * judge_N
    return {
        "step": step_N,
        "group": group_N,
        "prompt_id": group_N % groups,
        "contrast": terms["w"],
        "colour": terms["x"],
        "layout": terms["y"],
        "texture": terms["z"],
        "judge": judge_N,
        "total": total_N,
        "tokens": rng.normal(800, 100, count).astype(np.int64),
        "human": np.clip(np.round(2 + 0.8 * merit_N + rng.normal(0, 0.8, count)), 0, 4),
        "heldout_eye": 0.7 * merit_N + rng.normal(0, 0.7, count),
        "completion": np.arange(count),
    }


def clean_pairs(seed: int = 0, pairs: int = 300, items: int = 40, bias: float = 0.0) -> pl.DataFrame:
    """A judge asked in both orders about pairs of items with a true merit, and people's own choice.

    bias: how much merit the place that is shown first is worth; 0 is an unbiased judge.
    """
    rng = np.random.default_rng(seed)
    merit_I = rng.normal(0, 1, items)
    first = rng.integers(0, items, pairs)
    second = (first + rng.integers(1, items, pairs)) % items
    edge = merit_I[first] - merit_I[second]

    def verdict(shift: float) -> list[str]:
        return ["a" if value > 0 else "b" for value in edge + shift + rng.normal(0, 0.3, pairs)]

    return pl.DataFrame(
        {
            "item_a": [f"p{index}" for index in first],
            "item_b": [f"p{index}" for index in second],
            "vlm_ab": verdict(bias),
            "vlm_ba": verdict(-bias),
            "human": ["a" if value > 0 else "b" for value in edge + rng.normal(0, 0.4, pairs)],
        }
    )


def clean_variant(seed: int) -> pl.DataFrame:
    """One of six kinds of clean table, by the seed: to count false alarms on more than one shape of data.

    A run; a file of marks without groups or steps; a long run of small groups; a run that does not rise, with
    steps that resemble their neighbours; a run with heavy tails and a gate; a judge asked in both orders.
    """
    rng = np.random.default_rng(seed)
    kind = seed % 6
    if kind == 0:
        return clean(seed, steps=12, groups=4)
    if kind == 1:
        merit_N = rng.normal(0, 1, 120)
        noise_NJ = rng.normal(0, 1, (120, 4))
        return pl.DataFrame(
            {
                name: np.clip(np.round(5.5 + 1.2 * merit_N + 1.7 * noise_NJ[:, place]), 0, 10)
                for place, name in enumerate(("accuracy", "clarity", "style", "depth"))
            }
        )
    if kind == 2:
        return clean(seed, steps=60, groups=3, size=4)
    if kind == 3:
        columns = clean_columns(rng, 30, 3, 6, rise=0.0)
        drift_T = np.convolve(rng.normal(0, 0.2, 32), np.ones(3) / 3, mode="valid")
        columns["heldout_eye"] = columns["heldout_eye"] + drift_T[columns["step"]]
        return pl.DataFrame(columns)
    if kind == 4:
        return _with_gate(clean_columns(rng, 12, 4, 8), rng)
    return clean_pairs(seed, pairs=200, items=60)


def _with_gate(columns: Columns, rng: np.random.Generator) -> pl.DataFrame:
    """Heavier tails, and a gate that fails 6 %: such rows have no other scores, and a total of 0."""
    tail_N = rng.standard_t(4, len(columns["step"]))
    columns["texture"] = columns["texture"] + 0.04 * tail_N
    passed_N = rng.random(len(tail_N)) < 0.94
    names = ("contrast", "colour", "layout", "texture")
    total_N = np.sum([0.2 * columns[name] for name in names], axis=0) + 0.2 * 0.06 * columns["judge"]
    for name in (*names, "judge"):
        columns[name] = np.where(passed_N, columns[name], np.nan)
    columns["total"] = np.where(passed_N, total_N, 0.0)
    columns["renders"] = passed_N.astype(np.float64)
    return pl.DataFrame({name: _column(values) for name, values in columns.items()})


def _redundant(columns: Columns, rng: np.random.Generator) -> None:
    columns["colour"] = columns["layout"] + rng.normal(0, 0.03, len(columns["layout"]))


def _saturated(columns: Columns, rng: np.random.Generator) -> None:
    ramp_N = columns["step"] / 8 + rng.normal(0, 0.3, len(columns["step"]))
    columns["texture"] = np.clip(np.where(columns["step"] >= 12, 1.0, ramp_N), 0, 1)


def _compressed(columns: Columns, rng: np.random.Generator) -> None:
    mild_N = 7.4 + 0.15 * (columns["judge"] - 5) + rng.normal(0, 0.2, len(columns["judge"]))
    columns["judge"] = np.clip(np.round(mild_N), 0, 10)


def _dominance(columns: Columns, rng: np.random.Generator) -> None:
    columns["contrast"] = 0.5 + 6 * (columns["contrast"] - 0.5)


def _dead_groups(columns: Columns, rng: np.random.Generator) -> None:
    dead_N = columns["group"] % 5 < 2
    for name in ("contrast", "colour", "layout", "texture", "judge"):
        columns[name] = np.where(dead_N, columns[name][(columns["group"] * 8)], columns[name])


def _missing(columns: Columns, rng: np.random.Generator) -> None:
    columns["layout"] = np.where(rng.random(len(columns["step"])) < 0.12, np.nan, columns["layout"])


def _phantom_zeros(columns: Columns, rng: np.random.Generator) -> None:
    lost_N = rng.random(len(columns["step"])) < 0.03
    columns["layout"] = np.where(lost_N, 0.0, columns["layout"])
    columns["failed"] = lost_N.astype(np.int64)


def _hacking(columns: Columns, rng: np.random.Generator) -> None:
    rise_N = 1.5 * columns["step"] / columns["step"].max()
    columns["heldout_eye"] = columns["heldout_eye"] - rise_N
    columns["human"] = np.clip(np.round(columns["human"] - rise_N), 0, 4)


def _exploited(columns: Columns, rng: np.random.Generator) -> None:
    late_N = columns["step"] > 12
    columns["texture"] = np.where(late_N, 0.5 + 12 * (columns["texture"] - 0.5), columns["texture"])


def _bias(columns: Columns, rng: np.random.Generator) -> None:
    more_N = (columns["tokens"] - 800) / 100
    for name in ("contrast", "colour", "layout", "texture"):
        columns[name] = columns[name] + 0.15 * more_N


def _diversity(columns: Columns, rng: np.random.Generator) -> None:
    late_N = columns["step"] > 12
    columns["completion"] = np.where(late_N, rng.integers(0, 3, len(late_N)), columns["completion"])


def _agreement(columns: Columns, rng: np.random.Generator) -> None:
    columns["human"] = rng.permutation(columns["human"])


_SPOILED: Mapping[str, Callable[[Columns, np.random.Generator], None]] = {
    "redundant": _redundant,
    "saturated": _saturated,
    "compressed": _compressed,
    "dominance": _dominance,
    "dead_groups": _dead_groups,
    "missing": _missing,
    "phantom_zeros": _phantom_zeros,
    "hacking": _hacking,
    "exploited": _exploited,
    "bias": _bias,
    "diversity": _diversity,
    "agreement": _agreement,
}
FAULTS = (*_SPOILED, "position")


def faulty(kind: str, seed: int = 0) -> pl.DataFrame:
    """A table with one fault, of FAULTS (names of `finding.Kind`). Raises KeyError for any other."""
    if kind == "position":
        return clean_pairs(seed, bias=0.8)
    rng = np.random.default_rng(seed)
    columns = clean_columns(rng, 24, 6, 8)
    _SPOILED[kind](columns, rng)
    terms = ("contrast", "colour", "layout", "texture")
    rewritten = kind not in ("hacking", "diversity", "agreement")
    if rewritten:
        columns["total"] = (
            np.sum([0.2 * columns[name] for name in terms], axis=0) + 0.2 * 0.06 * columns["judge"]
        )
    return pl.DataFrame({name: _column(values) for name, values in columns.items()})


def _column(values: Floats | Ints) -> pl.Series:
    return pl.Series(values).fill_nan(None) if values.dtype.kind == "f" else pl.Series(values)
