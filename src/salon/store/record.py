"""What a run's record holds: one row per sample, and a manifest that says where the numbers came from.

Pure functions; `store` puts their results on disk. A rollout's row keeps every term as it was scored,
normalised and weighted, so that weights can be changed afterwards without asking a judge again. Types are
fixed: a column that is null throughout a step has the same type as elsewhere, or two steps could not be read
as one table.
"""

import hashlib
import json
import math
import platform
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

import polars as pl

from salon.errors import StoreError
from salon.files.untrusted import parse_json
from salon.secrets.known import redacted
from salon.types import Failure, Group, Reward, Sample, TermValue

FORMAT = 1
COLUMNS: dict[str, pl.DataType] = {
    "step": pl.Int64(),
    "group": pl.Int64(),
    "group_seed": pl.Int64(),
    "prompt_id": pl.String(),
    "prompt": pl.String(),
    "subject": pl.String(),
    "tags": pl.String(),
    "meta": pl.String(),
    "sample_id": pl.String(),
    "reply": pl.String(),
    "source": pl.String(),
    "tokens": pl.Int64(),
    "truncated": pl.Boolean(),
    "seed": pl.Int64(),
    "seconds_render": pl.Float64(),
    "calls": pl.String(),
    "picture": pl.String(),
    "failure_code": pl.String(),
    "failure_message": pl.String(),
    "failure_fault": pl.String(),
    "failure_stage": pl.String(),
    "total": pl.Float64(),
    "advantage": pl.Float64(),
}
TERM_COLUMNS: dict[str, pl.DataType] = {
    "raw": pl.Float64(),
    "normalized": pl.Float64(),
    "weighted": pl.Float64(),
    "status": pl.String(),
    "reason": pl.String(),
    "details": pl.String(),
}
MOST_NUMBER = 1e60
"""The largest number that is read from a record, of either sign; larger ones are missing. Sums of their
squares would be infinite, and a stranger may write what salon never does.
"""
_PACKAGES = (
    "salon",
    "numpy",
    "polars",
    "pillow",
    "onnxruntime",
    "torch",
    "transformers",
    "trl",
)


def clean(text: str) -> str:
    """`text` as valid UTF-8: half a surrogate pair (browsers' messages have them) becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def finite(value: float | None) -> float | None:
    """`value`, or None where it is NaN or infinite: missing is null in a record, never NaN."""
    return None if value is None or not math.isfinite(value) else float(value)


def term_schema(terms: Sequence[str]) -> dict[str, pl.DataType]:
    """The columns of `terms`: `<term>.raw`, `.normalized`, `.weighted`, `.status`, `.reason`, `.details`
    (a JSON object of numbers; null where there are none, and in runs of before).
    """
    return {f"{term}.{part}": kind for term in terms for part, kind in TERM_COLUMNS.items()}


def terms_of(columns: Sequence[str]) -> list[str]:
    """The terms that a table's columns speak of, in order."""
    return [column.removesuffix(".status") for column in columns if column.endswith(".status")]


def rollout_frame(
    step: int,
    groups: Sequence[Group],
    rewards: Sequence[Sequence[Reward]],
    terms: Sequence[str] = (),
) -> pl.DataFrame:
    """One row per sample of a step.

    Args:
        step: the policy step that made the samples.
        groups: G groups.
        rewards: per group, one reward per sample, in the group's order.
        terms: terms that get a column even when no reward of this step has them.

    Raises:
        ValueError: when groups and rewards do not pair up.
    """
    names = dict.fromkeys(terms)
    rows: list[dict[str, Any]] = []
    for index, (group, group_rewards) in enumerate(zip(groups, rewards, strict=True)):
        for sample, reward in zip(group.samples, group_rewards, strict=True):
            names.update(dict.fromkeys(value.term for value in reward.terms))
            rows.append(_row(step, index, group, sample, reward))
    return pl.DataFrame(rows, schema=COLUMNS | term_schema(list(names)), orient="row")


def _row(step: int, index: int, group: Group, sample: Sample, reward: Reward) -> dict[str, Any]:
    prompt = sample.prompt
    row: dict[str, Any] = {
        "step": step,
        "group": index,
        "group_seed": group.seed,
        "prompt_id": clean(prompt.id),
        "prompt": clean(prompt.text),
        "subject": clean(prompt.subject),
        "tags": json.dumps(list(prompt.tags)),
        "meta": json.dumps(dict(prompt.meta), sort_keys=True),
        "sample_id": clean(sample.id),
        "reply": clean(sample.reply),
        "source": None if sample.source is None else clean(sample.source),
        "tokens": sample.tokens,
        "truncated": sample.truncated,
        "seed": sample.seed,
        "seconds_render": finite(sample.seconds),
        "calls": None if sample.calls is None else json.dumps(sample.calls),
        "picture": sample.picture.key if sample.picture else None,
        "total": finite(reward.total),
        "advantage": finite(reward.advantage),
    }
    row.update(_failure_cells(sample.failure))
    for value in reward.terms:
        row.update(_term_cells(value))
    return row


def _failure_cells(failure: Failure | None) -> dict[str, str]:
    if failure is None:
        return {}
    return {
        "failure_code": clean(failure.code),
        "failure_message": clean(failure.message),
        "failure_fault": failure.fault,
        "failure_stage": failure.stage,
    }


def _term_cells(value: TermValue) -> dict[str, Any]:
    return {
        f"{value.term}.raw": finite(value.raw),
        f"{value.term}.normalized": finite(value.normalized),
        f"{value.term}.weighted": finite(value.weighted),
        f"{value.term}.status": value.status,
        f"{value.term}.reason": clean(value.reason),
        f"{value.term}.details": _details_cell(value.details),
    }


def _details_cell(details: Mapping[str, float]) -> str | None:
    kept = {clean(key): number for key, value in details.items() if (number := finite(value)) is not None}
    return json.dumps(kept) if kept else None


def details_in(cell: object) -> dict[str, float]:
    """What a cell of `<term>.details` holds; {} for a null, and for anything that is no object of numbers."""
    try:
        found = parse_json(cell) if isinstance(cell, str) else {}
    except ValueError:
        return {}
    if not isinstance(found, dict):
        return {}
    numbers = {str(key): value for key, value in found.items() if type(value) in (int, float)}
    return {key: float(value) for key, value in numbers.items() if abs(value) <= MOST_NUMBER}


def evaluation_frame(rows: Sequence[Mapping[str, Any]] | pl.DataFrame) -> pl.DataFrame:
    """An evaluation's rows as a table. Columns that are null throughout get a type; other readers refuse the
    null type.
    """
    if not isinstance(rows, pl.DataFrame):
        rows = pl.DataFrame([_clean_row(row) for row in rows], infer_schema_length=None)
    names = [name for name, kind in rows.schema.items() if kind == pl.Null()]
    return rows.with_columns(pl.col(name).cast(pl.String) for name in names)


def _clean_row(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: clean(value) if isinstance(value, str) else value for key, value in row.items()}


def metric_line(step: int, metrics: Mapping[str, float | None]) -> dict[str, float | int | None]:
    """A step's metrics as they are stored: `step` first, numbers finite or null."""
    return {"step": step} | {name: finite(value) for name, value in metrics.items() if name != "step"}


def recipe_hash(recipe: Mapping[str, Any]) -> str:
    """SHA-256, in hex, of the recipe's canonical JSON. The order of keys does not matter."""
    text = json.dumps(recipe, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
    return hashlib.sha256(clean(text).encode()).hexdigest()


def difference(recipe_a: Mapping[str, Any], recipe_b: Mapping[str, Any]) -> list[str]:
    """The dotted keys whose values differ between two recipes, sorted.

    Example:
        difference({"train": {"steps": 3}}, {"train": {"steps": 4}, "seed": 1}) == ["seed", "train.steps"]
    """
    flat_a, flat_b = _flatten(recipe_a), _flatten(recipe_b)
    return sorted(key for key in flat_a.keys() | flat_b.keys() if flat_a.get(key) != flat_b.get(key))


def _flatten(value: Any, prefix: str = "") -> dict[str, str]:
    """Leaves by dotted key, as JSON, so that an absent key and a null one are told apart."""
    if isinstance(value, Mapping) and value:
        flat: dict[str, str] = {}
        for key, item in value.items():
            flat |= _flatten(item, f"{prefix}.{key}" if prefix else str(key))
        return flat
    if isinstance(value, list | tuple) and value:
        return _flatten({str(index): item for index, item in enumerate(value)}, prefix)
    return {prefix: json.dumps(value, default=str)} if prefix else {}


def explain_difference(recipe_a: Mapping[str, Any], recipe_b: Mapping[str, Any], limit: int = 8) -> str:
    """One line per differing key: `train.steps: 3 → 4`."""
    flat_a, flat_b = _flatten(recipe_a), _flatten(recipe_b)
    keys = difference(recipe_a, recipe_b)
    lines = [
        f"  {key}: {flat_a.get(key, '(absent)')} → {flat_b.get(key, '(absent)')}" for key in keys[:limit]
    ]
    more = [f"  … and {len(keys) - limit} more"] if len(keys) > limit else []
    return "\n".join(lines + more)


def complete_manifest(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """`manifest` with what salon can find out itself: format, recipe hash, time, platform, package versions.

    Args:
        manifest: at least `recipe` (the resolved one); by custom also `seeds`, `judges` (identities by term),
            `medium` (its versions()) and `policy` (its identity). `versions` joins the packages' versions.

    Raises:
        StoreError: when there is no recipe.
    """
    recipe = manifest.get("recipe")
    if not isinstance(recipe, Mapping):
        raise StoreError("a run's manifest needs the resolved recipe under the key 'recipe'")
    # Before it is hashed: the hash is that of what is kept.
    manifest = redacted(manifest)
    recipe = manifest["recipe"]
    found = {
        "format": FORMAT,
        "recipe_sha256": recipe_hash(recipe),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "platform": f"{platform.system()} {platform.machine()}, Python {sys.version.split()[0]}",
    }
    return {**manifest, **found, "versions": package_versions() | dict(manifest.get("versions", {}))}


def package_versions() -> dict[str, str]:
    """Versions of the installed packages that decide a number, read without importing them."""
    versions: dict[str, str] = {}
    for name in _PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions
