"""What a prompt asks for, as yes/no questions that depend on one another: DSG's form, in files of either
kind.

    {"id": "rose", "prompt": "a red rose in a vase", "questions": [
      {"id": "1", "tuple": "entity - whole (rose)", "ask": "Is there a rose?"},
      {"id": "2", "tuple": "attribute - color (rose, red)", "ask": "Is the rose red?", "needs": ["1"]}]}

One prompt a line in a .jsonl file; one question a row in a .csv file with the columns of DPG-Bench and DSG.
Both are
checked when they are read: no question twice, every need is there, no circles.

Source: Davidsonian Scene Graph, arXiv 2310.18235; DPG-Bench, arXiv 2403.05135.
"""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from salon import strict
from salon.errors import RecipeError
from salon.extend import did_you_mean
from salon.store import write_atomic

Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S", coerce_numbers_to_str=True)]
Ask = Annotated[str, Field(min_length=1, max_length=1000, pattern=r"\S")]

COLUMNS = (
    "item_id",
    "text",
    "keywords",
    "proposition_id",
    "dependency",
    "category_broad",
    "category_detailed",
    "tuple",
    "question_natural_language",
)
_NEEDED = ("item_id", "text", "proposition_id", "dependency", "question_natural_language")


class Item(BaseModel):
    """One question. `needs` are ids of questions that must be satisfied before it means anything. `wanted`
    is the answer that satisfies it; where it is left out, the scorer says which.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    id: Name
    ask: Ask
    needs: tuple[Name, ...] = ()
    of: str = Field(default="", alias="tuple")
    category: str = ""
    detail: str = ""
    wanted: Literal["yes", "no"] | None = None


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: Name
    prompt: Ask
    questions: Annotated[tuple[Item, ...], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class PromptChecklist:
    """A prompt and its questions, needs before what needs them."""

    id: str
    prompt: str
    questions: tuple[Item, ...]

    @property
    def depth(self) -> int:
        """The longest chain of needs; 1 where nothing needs anything."""
        depths: dict[str, int] = {}
        for item in self.questions:
            depths[item.id] = 1 + max((depths[name] for name in item.needs), default=0)
        return max(depths.values())


def in_order(items: Sequence[Item]) -> tuple[Item, ...]:
    """The questions with needs first, else in their order.

    Raises:
        ValueError: a question twice, a need that is not there, or a circle; says which and what to do.
    """
    known = [item.id for item in items]
    for item in items:
        if known.count(item.id) > 1:
            raise ValueError(f"question {item.id!r} stands twice. Give each one an id of its own.")
        for name in item.needs:
            if name not in known:
                raise ValueError(
                    f"question {item.id!r} needs {name!r}, which is not there.{did_you_mean(name, known)}"
                )
    asks = [item.ask.strip().casefold() for item in items]
    for item, ask in zip(items, asks, strict=True):
        if asks.count(ask) > 1:
            raise ValueError(f"the question {item.ask!r} stands twice. Take one out.")
    placed: dict[str, Item] = {}
    left = list(items)
    while left:
        ready = [item for item in left if all(name in placed for name in item.needs)]
        if not ready:
            names = ", ".join(item.id for item in left)
            raise ValueError(f"questions {names} need each other in a circle. Take one need out.")
        placed |= {item.id: item for item in ready}
        left = [item for item in left if item.id not in placed]
    return tuple(placed.values())


def load_checklists(path: str | Path) -> dict[str, PromptChecklist]:
    """The checklists of a .jsonl or .csv file, by prompt id.

    Raises:
        RecipeError: names the file, the line and the remedy.
    """
    found = _from_csv(Path(path)) if Path(path).suffix == ".csv" else _from_jsonl(Path(path))
    if not found:
        raise RecipeError(f"{path}: has no checklists. Make some with salon checklist decompose.")
    return found


def save_checklists(checklists: Mapping[str, PromptChecklist], path: str | Path) -> None:
    """Write them in the form that the path's ending names: .csv, or .jsonl for anything else.

    Raises:
        RecipeError: a .csv file, and a question that wants a no: the form has no column for it.
    """
    write = _as_csv if Path(path).suffix == ".csv" else _as_jsonl
    write_atomic(Path(path), write(checklists).encode())


def _from_jsonl(path: Path) -> dict[str, PromptChecklist]:
    found: dict[str, PromptChecklist] = {}
    text = strict.read_bytes(path).decode("utf-8-sig", "replace")
    lines = [number for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    for number, row in zip(lines, strict.read_jsonl(path, _Row), strict=True):
        where = f"{path}, line {number}"
        if row.id in found:
            raise RecipeError(
                f"{where}: id: {row.id!r} stands twice. One line has all questions of a prompt."
            )
        found[row.id] = PromptChecklist(row.id, row.prompt, _ordered(row.questions, where))
    return found


def _from_csv(path: Path) -> dict[str, PromptChecklist]:
    try:
        text = strict.read_bytes(path).decode("utf-8-sig")
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        columns = reader.fieldnames or ()
        missing = [name for name in _NEEDED if name not in columns]
        if missing:
            raise RecipeError(
                f"{path}: the columns {', '.join(missing)} are missing. Those of DPG-Bench are:"
                f" {', '.join(COLUMNS)}."
            )
        if len(set(columns)) < len(columns):
            twice = next(name for name in columns if columns.count(name) > 1)
            raise RecipeError(f"{path}: the header names {twice!r} twice. Rename or remove one.")
        rows = [(reader.line_num, row) for row in reader]
    except UnicodeDecodeError as error:
        raise RecipeError(f"{path}: not UTF-8 at byte {error.start}. Save it as UTF-8.") from error
    except csv.Error as error:
        raise RecipeError(
            f"{path}: not CSV: {error}. Put texts with commas or quotes into quotes."
        ) from error
    items: dict[str, list[Item]] = {}
    texts: dict[str, str] = {}
    last: dict[str, int] = {}
    for line, row in rows:
        name, where = (row["item_id"] or "").strip(), f"{path}, line {line}"
        if None in row:
            # A question with a comma and without quotes would lose what follows the comma.
            raise RecipeError(f"{where}: has more cells than the header. Put texts with commas into quotes.")
        if texts.setdefault(name, row["text"] or "") != (row["text"] or ""):
            raise RecipeError(
                f"{where}: text: item {name!r} has another text above. Give it another item_id."
            )
        items.setdefault(name, []).append(_csv_item(row, where))
        last[name] = line
    return {
        name: PromptChecklist(
            name, texts[name], _ordered(found, f"{path}, up to line {last[name]}, item {name}")
        )
        for name, found in items.items()
    }


def _csv_item(row: Mapping[str, str | None], where: str) -> Item:
    needs = [name.strip() for name in (row["dependency"] or "").split(",")]
    data = {
        "id": (row["proposition_id"] or "").strip(),
        "ask": row["question_natural_language"] or "",
        "needs": [name for name in needs if name not in ("", "0")],
        "tuple": row.get("tuple") or "",
        "category": row.get("category_broad") or "",
        "detail": row.get("category_detailed") or "",
    }
    if not (row["item_id"] or "").strip():
        raise RecipeError(f"{where}: item_id: is empty. Write the prompt's id.")
    return strict.validated(Item, data, where)


def _ordered(items: Sequence[Item], where: str) -> tuple[Item, ...]:
    try:
        return in_order(items)
    except ValueError as error:
        raise RecipeError(f"{where}: {error}") from error


def _as_jsonl(checklists: Mapping[str, PromptChecklist]) -> str:
    rows = [
        {
            "id": each.id,
            "prompt": each.prompt,
            "questions": [
                item.model_dump(mode="json", by_alias=True, exclude_defaults=True) for item in each.questions
            ],
        }
        for each in checklists.values()
    ]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _as_csv(checklists: Mapping[str, PromptChecklist]) -> str:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in checklists.values():
        for item in each.questions:
            if item.wanted == "no":
                raise RecipeError(
                    f"{each.id}, question {item.id}: a .csv file cannot say `wanted: no`. Write .jsonl."
                )
            needs = ",".join(item.needs) or "0"
            cells = (each.id, each.prompt, "", item.id, needs, item.category, item.detail, item.of, item.ask)
            writer.writerow(cells)
    return stream.getvalue()
