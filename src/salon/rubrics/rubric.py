"""A rubric: what a judge is asked to look at, as a file that people read, edit, compare and version.

    version: 3
    name: flowers
    themes:
      - name: Composition
        level: mid
        tips:
          - The flower fills between a third and two thirds of the sheet.

Themes stand in the order of their diagnostic value: coarse (does it show what was asked), mid
(composition), fine (local detail). `Rubric.text` is what a judge gets, word for word, as its criteria.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from salon import validation
from salon.errors import RecipeError
from salon.files import yaml_text
from salon.markup import plain_markdown
from salon.store.runs import write_atomic

Level = Literal["coarse", "mid", "fine"]
Line = Annotated[str, Field(min_length=1, max_length=2000, pattern=r"\S")]

LEVELS: Mapping[Level, str] = {
    "coarse": "does it show what was asked",
    "mid": "how the picture is built",
    "fine": "local detail",
}


class Theme(BaseModel):
    """One axis: its name, how coarse it is, and its clauses, each checkable on one picture."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: Line
    level: Level = "mid"
    tips: Annotated[tuple[Line, ...], Field(min_length=1)]

    @field_validator("tips")
    @classmethod
    def _one_line_each(cls, tips: tuple[str, ...]) -> tuple[str, ...]:
        tidy = tuple(" ".join(tip.split()) for tip in tips)
        if twice := [tip for tip, count in Counter(tidy).items() if count > 1]:
            raise ValueError(f"the tip {twice[0]!r} stands twice")
        return tidy


class Rubric(BaseModel):
    """A hierarchical rubric. `version` is a person's to raise; `made` says how it came to be, and is free."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    version: Annotated[int, Field(ge=1)] = 1
    name: Line = "rubric"
    summary: str = ""
    themes: Annotated[tuple[Theme, ...], Field(min_length=1)]
    made: dict[str, Any] = {}

    @field_validator("themes")
    @classmethod
    def _names_differ(cls, themes: tuple[Theme, ...]) -> tuple[Theme, ...]:
        if twice := [name for name, count in Counter(theme.name for theme in themes).items() if count > 1]:
            raise ValueError(f"the theme {twice[0]!r} stands twice")
        return themes

    @property
    def text(self) -> str:
        """The criteria as a judge reads them: nothing but what decides a verdict."""
        lines = [self.summary.strip(), ""] if self.summary.strip() else []
        for number, theme in enumerate(self.themes, 1):
            lines.append(f"{number}. {theme.name} ({theme.level})")
            lines += [f"   - {tip}" for tip in theme.tips]
        return "\n".join(lines)

    @property
    def identity(self) -> str:
        """name@hash of the text: it changes whenever a verdict could."""
        return f"{self.name}@{hashlib.sha256(self.text.encode('utf-8', 'replace')).hexdigest()[:12]}"

    def markdown(self) -> str:
        """The rubric as a Markdown tree: levels, themes, tips."""
        lines = [f"# {plain_markdown(self.name)} (version {self.version})", ""]
        if self.summary.strip():
            lines += [plain_markdown(self.summary), ""]
        for number, theme in enumerate(self.themes, 1):
            lines.append(
                f"- **{number}. {plain_markdown(theme.name)}** · {theme.level}: {LEVELS[theme.level]}"
            )
            lines += [f"    - {plain_markdown(tip)}" for tip in theme.tips]
        return "\n".join(lines) + "\n"

    def save(self, path: str | Path) -> None:
        """Write it as YAML, or as JSON where the path ends in .json."""
        data = self.model_dump(mode="json")
        if Path(path).suffix == ".json":
            text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
        else:
            text = yaml_text.dumped(data, width=100)
        write_atomic(Path(path), text.encode("utf-8", "replace"))


def load_rubric(path: str | Path) -> Rubric:
    """Read a rubric, YAML or JSON.

    Raises:
        RecipeError: names the file, the key and the remedy.
    """
    return validation.validated(Rubric, validation.read_yaml(path), str(path))


def diff(before: Rubric, after: Rubric) -> list[str]:
    """What changed, one line each: themes and tips that came (+), went (-) or moved (~)."""
    old, new = ({theme.name: theme for theme in each.themes} for each in (before, after))
    lines = [f"- {name}" for name in old if name not in new]
    for name, theme in new.items():
        if name not in old:
            lines += [f"+ {name} ({theme.level})", *(f"+     {tip}" for tip in theme.tips)]
            continue
        if theme.level != old[name].level:
            lines.append(f"~ {name}: {old[name].level} → {theme.level}")
        lines += [f"- {name}: {tip}" for tip in old[name].tips if tip not in theme.tips]
        lines += [f"+ {name}: {tip}" for tip in theme.tips if tip not in old[name].tips]
    shared_old, shared_new = ([n for n in each if n in old and n in new] for each in (old, new))
    if shared_old != shared_new:
        lines.append(f"~ order: {', '.join(shared_old)} → {', '.join(shared_new)}")
    if before.summary != after.summary:
        lines.append("~ summary")
    return lines


def criteria_text(path: str | Path) -> str:
    """The criteria in a file: a rubric's text, or a text file (.md, .txt) as it is.

    Raises:
        RecipeError: the file cannot be read, or is empty.
    """
    if Path(path).suffix in (".yaml", ".yml", ".json"):
        return load_rubric(path).text
    try:
        text = validation.read_bytes(path).decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise RecipeError(f"{path}: not UTF-8 at byte {error.start}. Save it as UTF-8.") from error
    if not text:
        raise RecipeError(f"{path}: is empty. Write criteria into it.")
    return text
