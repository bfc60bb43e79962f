"""Where a rescored run is kept: beside the original, in a folder or a file of its own, and never over
anything.
"""

import json
import os
from pathlib import Path

from salon.errors import StoreError
from salon.files.outputs import WriteError, new_folder
from salon.store.runs import Run, parquet_bytes, write_atomic

from .rescore import Rescored, frame_of, rescored_recipe

FILE = ".parquet"


def place_for(run: Run, recipe: str | Path, out: str | None) -> Path:
    """Where the result is to be: `out`, or `<run>/rescored/<the recipe's name>`.

    Raises:
        StoreError: something is there already.
    """
    place = Path(out) if out else run.path / "rescored" / Path(recipe).stem
    for taken in (place, manifest_of(place)) if place.suffix == FILE else (place,):
        if os.path.exists(taken):
            look = "" if place.suffix == FILE else f", or see what is there: salon report {place}"
            raise StoreError(
                f"{taken} is there already, and nothing is overwritten: choose another --out{look}"
            )
    return place


def manifest_of(file: Path) -> Path:
    """The provenance of a result that is one parquet file stands beside it."""
    return file.with_suffix(".json")


def write(found: Rescored, place: Path) -> None:
    """Keep the result: a run's folder, or one parquet file with its provenance beside it."""
    if place.suffix == FILE:
        told = {"rescore": dict(found.provenance), "agreement": dict(found.summary)}
        text = json.dumps(told, indent=2, ensure_ascii=False)
        write_atomic(manifest_of(place), f"{text}\n".encode("utf-8", "replace"))
        try:
            write_atomic(place, parquet_bytes(frame_of(found)))
        except WriteError:
            manifest_of(place).unlink()
            raise
        return
    kept = {
        key: found.run.manifest[key] for key in ("policy", "medium", "seeds") if key in found.run.manifest
    }
    beside = dict(found.run.manifest.get("kept_beside") or {})
    beside |= {"out": str(place), "reward": found.recipe.model_dump(mode="json")}
    manifest = {
        "recipe": rescored_recipe(found.run, found.recipe),
        **({"kept_beside": beside} if "kept_beside" in found.run.manifest else {}),
        **kept,
        "judges": dict(found.provenance["identities"]),
        "rescore": {key: value for key, value in found.provenance.items() if key != "identities"},
    }
    with new_folder(place) as folder:
        _write_run(found, Run.create(folder, manifest))


def _write_run(found: Rescored, run: Run) -> None:
    run.adopt_pictures(found.run, found.ranks["picture"].drop_nulls().unique().to_list())
    for each in found.steps:
        run.write_step(each.recorded.step, each.recorded.groups, each.by_group, each.numbers)
    run.write_evaluation("ranks", found.ranks, found.summary)
