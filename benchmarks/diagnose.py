"""What `salon diagnose` costs, and how often it is wrong.

    python benchmarks/diagnose.py            # a million rows × 10 terms: seconds and memory, by format
    python benchmarks/diagnose.py alarms     # false alarms on 200 clean tables, and faults found of 20

Each size runs in a process of its own, so that its memory is its own. cpu counts the seconds of all threads
from the start of Python: where other programs run beside it, it says more than the clock.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl

ROWS, TERMS, SIZE = 1_000_000, 10, 8
LIMIT_S, LIMIT_GB = 15.0, 3.0


def million(rows: int = ROWS, seed: int = 0) -> pl.DataFrame:
    """10 terms in groups of 8 over 200 steps: marks and measurements, 1 % missing, a label, tokens."""
    rng = np.random.default_rng(seed)
    group_N = np.arange(rows) // SIZE
    merit_N = rng.normal(0, 1, rows) + rng.normal(0, 0.5, group_N[-1] + 1)[group_N]
    columns: dict[str, np.ndarray] = {
        "step": group_N * 200 // (group_N[-1] + 1),
        "group": group_N,
        "tokens": rng.integers(200, 2000, rows),
        "human": np.clip(np.round(2 + merit_N + rng.normal(0, 1, rows)), 0, 4),
    }
    for index in range(TERMS):
        score_N = 0.5 * merit_N + rng.normal(0, 1, rows)
        marks = np.clip(np.round(5 + 2 * score_N), 0, 10) if index < 5 else np.round(0.5 + 0.15 * score_N, 5)
        columns[f"term_{index}"] = np.where(rng.random(rows) < 0.01, np.nan, marks)
    return pl.DataFrame(columns).with_columns(pl.col(f"term_{i}").fill_nan(None) for i in range(TERMS))


def one(path: str) -> None:
    """Diagnose one file in this process, and print what it took."""
    from salon.diagnosis import diagnose
    from salon.diagnosis.pages.page import page

    start = time.perf_counter()
    found = diagnose(path)
    checked = time.perf_counter() - start
    html = page(found)
    whole = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_SELF)
    told = {"seconds": round(checked, 2), "with_html": round(whole, 2)}
    told |= {"cpu": round(used.ru_utime + used.ru_stime, 2), "peak_gb": round(used.ru_maxrss / 2**20, 2)}
    print(json.dumps({**told, "html_kb": len(html) // 1024, "findings": len(found.findings)}))


def sizes() -> bool:
    """A million rows as CSV, JSON lines and parquet."""
    within = True
    with tempfile.TemporaryDirectory() as folder:
        frame = million()
        for suffix, write in (
            ("csv", frame.write_csv),
            ("jsonl", frame.write_ndjson),
            ("parquet", frame.write_parquet),
        ):
            file = Path(folder) / f"scores.{suffix}"
            write(file)
            code = [sys.executable, __file__, "one", str(file)]
            done = subprocess.run(code, capture_output=True, text=True, check=True)
            took = json.loads(done.stdout)
            within &= took["with_html"] <= LIMIT_S and took["peak_gb"] <= LIMIT_GB
            print(f"{suffix:8s}{file.stat().st_size / 2**20:6.0f} MB  {took}", flush=True)
    print(f"limits: {LIMIT_S} s and {LIMIT_GB} GB on two cores; cores here: {os.cpu_count()}")
    return within


def alarms(clean: int = 200, faulty: int = 20) -> bool:
    """False alarms by finding, over clean tables of six kinds; and how often each fault is found."""
    from salon.diagnosis import examine, read_table, simulate

    wrong: set[int] = set()
    by_kind: Counter[str] = Counter()
    notices: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scores.csv"
        for seed in range(clean):
            simulate.clean_variant(seed).write_csv(file)
            found = examine(read_table(file))
            problems = {finding.kind for finding in found.of_level("problem")}
            by_kind.update(problems)
            notices.update({finding.kind for finding in found.of_level("notice")})
            wrong |= {seed} if problems else set()
        print(f"clean: {len(wrong)} of {clean} with a false alarm {dict(by_kind)}; notices {dict(notices)}")
        for kind in simulate.FAULTS:
            hits, others = 0, Counter[str]()
            for seed in range(faulty):
                simulate.faulty(kind, seed).write_csv(file)
                kinds = {finding.kind for finding in examine(read_table(file)).of_level("problem")}
                hits += kind in kinds
                others.update(kinds - {kind})
            print(f"{kind:14s} found {hits} of {faulty}; with it {dict(others)}", flush=True)
    return len(wrong) <= 0.05 * clean


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            raise SystemExit(0 if sizes() else 1)
        case ["one", path]:
            one(path)
        case ["alarms"]:
            raise SystemExit(0 if alarms() else 1)
        case _:
            raise SystemExit(__doc__)
