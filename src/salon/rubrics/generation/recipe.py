"""How a rubric is made, as a file: who writes, who judges, how strictly.

author: {kind: openai, model: Qwen/Qwen3-VL-30B-A3B-Instruct, base_url: "${SALON_JUDGE_URL}"}
judge:  {kind: openai, model: Qwen/Qwen3-VL-30B-A3B-Instruct, base_url: "${SALON_JUDGE_URL}"}
verify: blind
t_max: 5
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from salon import validation
from salon.errors import RecipeError
from salon.files.shipped_recipes import find_recipe
from salon.judges.inputs_read import Guidable, reads_of
from salon.parts import built
from salon.registry import Kind, look_in
from salon.rubrics.asking import Author
from salon.types import Judge
from salon.variables import expand_env

from .arr import Plan
from .exemplars import load_guides
from .verify import BlindVerifier, JudgeFactory, LabelAwareVerifier, Verifier

Share = Annotated[float, Field(gt=0, lt=1)]


class Part(BaseModel):
    """A built-in kind or a module:attribute path; every other key is handed to it as an argument."""

    model_config = ConfigDict(extra="allow", frozen=True)
    kind: str

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, data: Any) -> Any:
        return validation.plain_values(data)


class RubricRecipe(BaseModel):
    """A rubric's making.

    author: writes criteria and merges them; sees pictures. judge: verifies them blind, and is measured with
    and without the rubric. checker: who checks where `verify` is label-aware; by default the author.
    control: whether the judge is also asked without the criteria and by shuffled ones, so that criteria count
    only where they move it; without it, a judge that never reads verifies everything.
    t_max: refinements at most. criteria: asked for per pair. check_wording: criteria that compare pictures
    fail without a call. themes, tips: the rubric's size at most.
    guides: a file of human exemplars for the author; the judge is measured with them too, unless it has some
    of its own. held_out: a file of pairs, or the share of the given ones that is kept back to measure on.
    name: of the rubric. concurrency: pairs at once. patience: so many outages in a row end the run.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    author: Part
    judge: Part | None = None
    checker: Part | None = None
    verify: Literal["blind", "label-aware"] = "blind"
    control: bool = True
    t_max: Annotated[int, Field(ge=0, le=50)] = 5
    criteria: Annotated[int, Field(ge=1, le=40)] = 5
    check_wording: bool = True
    themes: Annotated[int, Field(ge=1, le=40)] = 10
    tips: Annotated[int, Field(ge=1, le=20)] = 4
    guides: str | None = None
    held_out: Share | str | None = None
    name: str = "rubric"
    seed: validation.Seed = 0
    concurrency: Annotated[int, Field(ge=1, le=256)] = 4
    patience: Annotated[int, Field(ge=1)] = 5

    def plan(self) -> Plan:
        """The part of it that generation goes by; guides are read."""
        return Plan(
            t_max=self.t_max,
            criteria=self.criteria,
            check_wording=self.check_wording,
            concurrency=self.concurrency,
            patience=self.patience,
            guides=load_guides(self.guides) if self.guides else (),
        )


def load_rubric_recipe(path: str | Path, overrides: Sequence[str] = ()) -> RubricRecipe:
    """Read a recipe, with `--set key=value` applied.

    Raises:
        RecipeError: names the file, the key and the remedy.
    """
    path = find_recipe(path)
    data = validation.read_yaml(path)
    validation.refuse_other_kind(data, path, "a rubric's recipe")
    look_in(path.parent)
    for override in overrides:
        validation.set_key(data, override)
    return validation.validated(RubricRecipe, data, str(path))


def build_author(part: Part, where: str = "author") -> Author:
    """The author a recipe names. Raises RecipeError when it is none."""
    author = build_part("author", part, where)
    if not isinstance(author, Author):
        raise RecipeError(
            f"{where}: {part.kind!r} is no author: it has no `identity` or no `write(messages)`."
        )
    return author


def build_judge(part: Part, where: str = "judge") -> tuple[Judge, JudgeFactory | None]:
    """The judge as it is, and how to give it criteria: None where it cannot read any."""
    judge = build_part("judge", part, where)
    if not isinstance(judge, Judge):
        raise RecipeError(f"{where}: {part.kind!r} does not compare pictures. Name a judge that does.")
    if isinstance(judge, Guidable) and "criterion" in reads_of(judge):
        return judge, judge.with_criteria
    return judge, None


def build_verifier(
    recipe: RubricRecipe, author: Author, judge: Judge | None, guide: JudgeFactory | None
) -> Verifier:
    """Who verifies. Raises RecipeError when `verify: blind` has no judge that goes by criteria."""
    if recipe.verify == "label-aware":
        checker = build_author(recipe.checker, "checker") if recipe.checker else author
        return LabelAwareVerifier(checker)
    if judge is None:
        raise RecipeError(
            "judge: is missing, and `verify: blind` needs one. Add it, or write `verify: label-aware`."
        )
    if guide is None:
        raise RecipeError(
            f"judge: {judge.identity} cannot go by criteria (it has no `with_criteria`). Name a"
            f" vision-language model,"
            " or write `verify: label-aware`."
        )
    return BlindVerifier(guide, judge.identity)


def build_part(kind: Kind, part: Part, where: str) -> Any:
    """The built-in or the object at module:attribute, made with the part's other keys."""
    given: Mapping[str, Any] = expand_env(dict(part.model_extra or {}), where, part.kind)
    return built(kind, part.kind, given, where)
