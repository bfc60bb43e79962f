"""What a column of numbers is that nobody named: a score, or a row number, an id, a clock, a counter."""

import re

import numpy as np
import polars as pl

from salon.diagnosis.table import Floats

FEW = 12
"""Fewer rows say too little: three marks of 1, 2 and 3 are no row numbers."""
_NO_NAME = re.compile(r"^(unnamed(_\d+)*:?(_\d+)*|_*index_level_\d+_*|level_\d+|_*index_*)$")
_IDS = re.compile(
    r"(^|_)(id|ids|uid|uuid|guid|idx|index|row_number|line_no|lineno|seed|hash|sha1|sha256|md5|zip|zipcode|zip_code"
    r"|postcode|postal_code|phone|timestamp|unixtime|epoch|batch|worker|gpu|pid|created_at|updated_at)$"
)
_CLOCKS = re.compile(r"(^|_)(time|times|elapsed|clock|seconds|minutes|duration|wall|wall_clock|ts)($|_)")
_SETTINGS = re.compile(
    r"^(lr|learning_rate|temperature|top_p|top_k|max_tokens|beta|kl_coef|kl_beta|version|num_generations)$"
)


def why_no_score(name: str, plain: str, column: pl.Series, values_N: Floats, named: bool) -> str | None:
    """Why a column of numbers is taken as no score; None where it is taken as one.

    Args:
        name: as the file has it; plain: in small letters with underscores.
        column: its cells.
        values_N: its numbers, NaN where missing.
        named: whether the file gives it a name.
    """
    known = values_N[~np.isnan(values_N)]
    if not len(known):
        return "it has no value in any row"
    if _NO_NAME.match(plain):
        return "it is the index of a data frame"
    low, high = float(known.min()), float(known.max())
    if low == high:
        return "it is a setting that never changes" if _SETTINGS.match(plain) else None
    if not named:
        return "it has no name"
    if not np.array_equal(known, np.round(known)):
        return _why_no_measurement(plain, known, low, high)
    if _IDS.search(plain):
        return "its name and its whole numbers say that it is an id"
    if column.dtype == pl.String and column.head(1000).str.contains(r"^\s*0\d+\s*$").any():
        return "its numbers start with 0, as codes do"
    return _why_no_count(known, low, high) if len(known) >= FEW else None


def _why_no_measurement(plain: str, known: Floats, low: float, high: float) -> str | None:
    if low >= 1e8:
        return "its numbers are as large as times and ids are"
    step_M = np.diff(known[:100_000])
    only_grows = len(known) >= 20 and bool((step_M > 0).all())
    if only_grows and (_CLOCKS.search(plain) or high - low > 100):
        return "it only grows from row to row, as a clock does"
    return None


def _why_no_count(known: Floats, low: float, high: float) -> str | None:
    """Of whole numbers."""
    digits = len(f"{abs(low):.0f}")
    if float(np.median(np.abs(known[:100_000]))) >= 1e6:
        return "its whole numbers are as long as those of ids, hashes and times"
    if low >= 10_000 and high < 10**digits:
        return f"its whole numbers all have {digits} digits, as ids, codes and dates do"
    step_M = np.diff(known)
    if (step_M == 1).all() or (step_M == -1).all():
        return "it numbers the rows"
    # Marks on any scale repeat long before that.
    if high - low == len(known) - 1 and len(np.unique(known)) == len(known):
        return "it numbers the rows"
    if high - low >= 3 and ((step_M == 1) | (known[1:] == low)).all() and (step_M == 1).mean() >= 0.7:
        return "it counts from the same start again and again"
    if (step_M >= 0).all() and _is_counter(known, high - low):
        return "it only grows from row to row, as a counter does"
    return None


def _is_counter(known: Floats, span: float) -> bool:
    """Of numbers that never fall. Marks on 0–10 never fall where a file is sorted by them, and then they do
    not come in runs of one length.
    """
    lengths = np.unique(known, return_counts=True)[1]
    if len(lengths) < 3:
        return False
    return (span > 10 and (len(lengths) > 11 or span > 100)) or len(set(lengths[:-1].tolist())) == 1
