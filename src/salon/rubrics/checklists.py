"""What a prompt asks for, as yes/no questions that depend on one another: DSG's form, in files of either
kind.

    {"id": "rose", "prompt": "a red rose in a vase", "questions": [
      {"id": "1", "tuple": "entity - whole (rose)", "ask": "Is there a rose?"},
      {"id": "2", "tuple": "attribute - color (rose, red)", "ask": "Is the rose red?", "needs": ["1"]}]}

One prompt a line in a .jsonl file; one question a row in a .csv file with the columns of DPG-Bench and DSG.
Both are checked when they are read: no question twice, every need is there, no circles. A prompt of which
something is wrong is left out whole, since a checklist with a hole gives another score; all of them are named
at once.

Source: Davidsonian Scene Graph, arXiv 2310.18235; DPG-Bench, arXiv 2403.05135.
"""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from salon import validation
from salon.errors import RecipeError
from salon.files.csv_text import csv_of, unguarded
from salon.registry import did_you_mean, few
from salon.store.runs import write_atomic
from salon.validation import BadRow


def _as_id(value: Any) -> Any:
    """An id as it was before pandas or a spreadsheet made a number of it: 3.0 is 3."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return re.sub(r"^(\d+)\.0$", r"\1", value.strip()) if isinstance(value, str) else value


_SAID = {"yes": "yes", "true": "yes", "no": "no", "false": "no"}


def as_answer(value: Any) -> Any:
    """yes or no, also where YAML or a spreadsheet made true, TRUE or No of it."""
    return value if value is None else _SAID.get(str(value).strip().casefold(), value)


Name = Annotated[
    str,
    Field(min_length=1, max_length=200, pattern=r"\S", coerce_numbers_to_str=True),
    BeforeValidator(_as_id),
]
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
    wanted: Annotated[Literal["yes", "no"] | None, BeforeValidator(as_answer)] = None


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


@dataclass(frozen=True, slots=True)
class ChecklistFile:
    """What a file has: the checklists that can be used, by prompt id, and why the other prompts cannot.

    `bad` names each problem with its line and prompt; `prompts` counts those that were left out for them.
    """

    checklists: dict[str, PromptChecklist] = field(repr=False)
    bad: tuple[BadRow, ...] = ()
    prompts: int = 0

    def lines(self) -> list[str]:
        """For people: how much there is, then what was left out, a line for each problem."""
        found = self.checklists.values()
        questions = sum(len(each.questions) for each in found)
        depth = max((each.depth for each in found), default=0)
        told = f"{len(found)} prompts, {questions} questions, chains of at most {depth}"
        if not self.bad:
            return [told]
        rows = "1 bad row" if len(self.bad) == 1 else f"{len(self.bad)} bad rows"
        prompts = "1 prompt" if self.prompts == 1 else f"{self.prompts} prompts"
        return [f"{told}; {prompts} left out for {rows}:", *map(str, self.bad)]


MOST_HINTS, MOST_PROBLEMS, MOST_NAMED = 5, 20, 12
"""Of one prompt: guesses at what was meant, problems that are told one by one, and names in one of them."""


def in_order(items: Sequence[Item]) -> tuple[Item, ...]:
    """The questions with needs first, else in their order.

    Raises:
        ValueError: a question twice, a need that is not there, or a circle; says all of them and what to do.
    """
    if problems := _problems(items):
        raise ValueError(" ".join(told for _, told in problems))
    levels = _levels(items)
    return tuple(sorted(items, key=lambda item: levels[item.id]))


def _problems(items: Sequence[Item], unread: Sequence[str] = ()) -> list[tuple[int, str]]:
    """Everything that is wrong with the questions of one prompt: the place of a question, and what it is.

    `unread` has the ids of questions that are there and cannot be used: what needs one is told of it alone.
    """
    known = [*(item.id for item in items), *unread]
    ids, asks = Counter(known), Counter(_asked(item) for item in items)
    seen: set[str] = set()
    found: list[tuple[int, str]] = []
    for place, item in enumerate(items):
        if ids[item.id] > 1 and item.id in seen:
            found.append((place, f"question {item.id!r} stands twice. Give each one an id of its own."))
        if asks[_asked(item)] > 1 and _asked(item) in seen:
            found.append((place, f"the question {item.ask!r} stands twice. Take one out."))
        if lost := [name for name in item.needs if name not in ids]:
            hint = did_you_mean(lost[0], known) if len(lost) == 1 and len(found) < MOST_HINTS else ""
            verb = "is" if len(lost) == 1 else "are"
            names = few([repr(name) for name in lost], MOST_NAMED)
            found.append((place, f"question {item.id!r} needs {names}, which {verb} not there.{hint}"))
        seen |= {item.id, _asked(item)}
    levels = _levels(items)
    circle = [place for place, item in enumerate(items) if item.id not in levels]
    if circle:
        names = few([items[place].id for place in circle], MOST_NAMED)
        told = f"questions {names} need each other in a circle. Take one need out."
        found.append((circle[0], told))
    if len(found) > MOST_PROBLEMS:
        rest = f"and {len(found) - MOST_PROBLEMS:,} more problems of this prompt, from here on."
        found[MOST_PROBLEMS:] = [(found[MOST_PROBLEMS][0], rest)]
    return found


def _asked(item: Item) -> str:
    # A mark that no id has, since ids and questions are counted side by side.
    return "?" + " ".join(item.ask.casefold().split())


def _levels(items: Sequence[Item]) -> dict[str, int]:
    """How many needs stand above each question at most; those in a circle, or below one, have none. A need
    that is not there counts as met. Takes as long as there are questions and needs.
    """
    known = {item.id for item in items}
    needs = {item.id: {name for name in item.needs if name in known} for item in items}
    above: dict[str, list[str]] = {}
    for name, each in needs.items():
        for need in each:
            above.setdefault(need, []).append(name)
    levels = {name: 0 for name, each in needs.items() if not each}
    left = {name: len(each) for name, each in needs.items()}
    ready = list(levels)
    for name in ready:
        for below in above.get(name, []):
            left[below] -= 1
            if not left[below]:
                levels[below] = 1 + max(levels[need] for need in needs[below])
                ready.append(below)
    return levels


def read_checklists(path: str | Path) -> ChecklistFile:
    """What a .jsonl or .csv file has, and every row of it that is wrong.

    Raises:
        RecipeError: the file as a whole cannot be read; names it and the remedy.
    """
    return _from_csv(Path(path)) if Path(path).suffix == ".csv" else _from_jsonl(Path(path))


def load_checklists(path: str | Path) -> dict[str, PromptChecklist]:
    """The checklists of a .jsonl or .csv file, by prompt id.

    Warns:
        BadRows: prompts were left out; names the file, the line, the prompt and the reason of each problem.

    Raises:
        RecipeError: the file cannot be read, or no prompt of it can be used; names the same.
    """
    found = read_checklists(path)
    validation.leave_out(path, found.bad, len(found.checklists))
    if not found.checklists:
        raise RecipeError(f"{path}: has no checklists. Make some with salon checklist decompose.")
    return found.checklists


def save_checklists(checklists: Mapping[str, PromptChecklist], path: str | Path) -> None:
    """Write them in the form that the path's ending names: .csv, or .jsonl for anything else.

    Raises:
        RecipeError: a .csv file, and a question that wants a no: the form has no column for it.
    """
    write = _as_csv if Path(path).suffix == ".csv" else _as_jsonl
    write_atomic(Path(path), write(checklists).encode("utf-8", "replace"))


def _from_jsonl(path: Path) -> ChecklistFile:
    if validation.read_bytes(path)[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        raise RecipeError(
            f"{path}: is one JSON list. Write one object a line: id, prompt, questions. TIFA's own files ask"
            f" by multiple choice, which a checklist does not; DSG's authors publish its prompts as .csv."
        )
    rows, bad = validation.read_rows(path, _Row)
    lost = len(bad)
    found: dict[str, PromptChecklist] = {}
    for number, row in rows:
        where = f"{path}, line {number}"
        problems = [told for _, told in _problems(row.questions)]
        if row.id in found:
            problems.append(f"id: {row.id!r} stands twice. One line has all questions of a prompt.")
        if problems:
            bad += [BadRow(where, told, number) for told in problems]
            lost += 1
        else:
            found[row.id] = PromptChecklist(row.id, row.prompt, in_order(row.questions))
    return ChecklistFile(found, tuple(sorted(bad, key=lambda row: row.number)), lost)


@dataclass(slots=True)
class _Gathered:
    """The rows of one prompt of a .csv file: each with its line, and what is wrong with it."""

    text: str
    items: list[Item] = field(default_factory=lambda: list[Item]())
    lines: list[int] = field(default_factory=lambda: list[int]())
    bad: list[BadRow] = field(default_factory=lambda: list[BadRow]())
    unread: list[str] = field(default_factory=lambda: list[str]())


def _from_csv(path: Path) -> ChecklistFile:
    gathered: dict[str, _Gathered] = {}
    nameless: list[BadRow] = []
    for line, row in _csv_rows(path):
        name = str(_as_id(row["item_id"] or ""))
        where = f"{path}, line {line}, item {name}"
        if not name:
            nameless.append(BadRow(f"{path}, line {line}", "item_id: is empty. Write the prompt's id.", line))
            continue
        each = gathered.setdefault(name, _Gathered(row["text"] or ""))
        try:
            each.items.append(_csv_item(row, each.text, where))
            each.lines.append(line)
        except RecipeError as error:
            each.bad.append(BadRow.of(error, where, line))
            each.unread.append(str(_as_id(row["proposition_id"] or "")))
    found: dict[str, PromptChecklist] = {}
    bad = [*nameless]
    for name, each in gathered.items():
        wrong = each.bad + [
            BadRow(f"{path}, line {each.lines[place]}, item {name}", told, each.lines[place])
            for place, told in _problems(each.items, each.unread)
        ]
        bad += wrong
        if not wrong:
            found[name] = PromptChecklist(name, each.text, in_order(each.items))
    in_file = sorted(bad, key=lambda row: row.number)
    return ChecklistFile(found, tuple(in_file), len(gathered) - len(found))


def _csv_rows(path: Path) -> Iterable[tuple[int, Mapping[str, str | None]]]:
    """The rows with the line that each ends at. Raises RecipeError where the file is no such table."""
    try:
        text = validation.read_bytes(path).decode("utf-8-sig")
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True, delimiter=_delimiter(text))
        columns = reader.fieldnames or ()
        missing = [name for name in _NEEDED if name not in columns]
        if missing:
            raise RecipeError(
                f"{path}: the columns {', '.join(missing)} are missing. Those of DPG-Bench are:"
                f" {', '.join(COLUMNS)}."
            )
        if twice := next((name for name, count in Counter(columns).items() if count > 1), None):
            raise RecipeError(f"{path}: the header names {twice!r} twice. Rename or remove one.")
        return [(reader.line_num, _unguarded(row)) for row in reader]
    except UnicodeDecodeError as error:
        raise RecipeError(f"{path}: not UTF-8 at byte {error.start}. Save it as UTF-8.") from error
    except csv.Error as error:
        raise RecipeError(
            f"{path}: not CSV: {error}. Put texts with commas or quotes into quotes."
        ) from error


def _unguarded(row: Mapping[str, str | None]) -> Mapping[str, str | None]:
    # What is beyond the header stands under None, in a list.
    return {name: unguarded(cell) if isinstance(cell, str) else cell for name, cell in row.items()}


def _delimiter(text: str) -> str:
    """The comma, or what a spreadsheet of another language writes instead."""
    header = text.partition("\n")[0].strip()
    known = [mark for mark in ",;\t" if set(_NEEDED) <= {name.strip('"') for name in header.split(mark)}]
    return known[0] if known else ","


def _csv_item(row: Mapping[str, str | None], text: str, where: str) -> Item:
    if None in row:
        # A question with a comma and without quotes would lose what follows the comma.
        raise RecipeError(f"{where}: has more cells than the header. Put texts with commas into quotes.")
    if text != (row["text"] or ""):
        raise RecipeError(f"{where}: text: the item has another text above. Give it another item_id.")
    if not (row["question_natural_language"] or "").strip():
        raise RecipeError(f"{where}: question_natural_language: is blank. Write the question.")
    needs = [str(_as_id(name)) for name in (row["dependency"] or "").split(",")]
    data = {
        "id": row["proposition_id"] or "",
        "ask": row["question_natural_language"] or "",
        "needs": [name for name in needs if name not in ("", "0")],
        "tuple": row.get("tuple") or "",
        "category": row.get("category_broad") or "",
        "detail": row.get("category_detailed") or "",
    }
    return validation.validated(Item, data, where)


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
    rows: list[Sequence[str]] = [COLUMNS]
    for each in checklists.values():
        for item in each.questions:
            if item.wanted == "no":
                raise RecipeError(
                    f"{each.id}, question {item.id}: a .csv file cannot say `wanted: no`. Write .jsonl."
                )
            needs = ",".join(item.needs) or "0"
            cells = (each.id, each.prompt, "", item.id, needs, item.category, item.detail, item.of, item.ask)
            rows.append(cells)
    return csv_of(rows)
