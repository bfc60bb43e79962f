"""The reward as a file: which signals, what each weighs and where it applies, and what happens when one is
missing.

    reward:
      terms:
        gate:  {scorer: sketch_gate, role: gate, weight: 0.05}
        taste: {scorer: pairwise, weight: 0.60, judge: taste, args: {pool: flowers}}
      judges:
        taste: {kind: taste}

A recipe is only read here. Parts are built from it in `salon.rewards.engine`; numbers are composed in
`salon.rewards.compose`.
"""

import functools
import hashlib
import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, field_validator, model_validator

from salon import validation
from salon.errors import RecipeError
from salon.files.shipped_recipes import find_recipe
from salon.llm.settings import ServerSettings
from salon.registry import BUILTINS, did_you_mean, look_in, resolve
from salon.registry import allow as allow_modules

from .condition import Condition, parse_condition
from .estimator import Estimator
from .schedule import Weight, knots_of, values_of, weight_at

Role = Literal["reward", "gate", "veto", "monitor"]
Normalize = Literal["none", "batch", "group", "rank"]
OnMissing = Literal["neutral", "renormalize", "drop_sample", "drop_group", "raise"]
TermName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]

DEFAULT_FLOOR_SIGMAS = 3.0


class Squash(BaseModel):
    """Bends a raw score of unknown range into (0, 1) before anything else: logistic is 1 / (1 + exp(-x / s)).

    Example: with logistic 4, 3.5 becomes 0.706 and 0 becomes 0.5.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    logistic: Annotated[FiniteFloat, Field(gt=0)]

    def apply(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Each in (0, 1); 0.5 at 0."""
        # tanh does not overflow where exp does; beyond the range of numbers it is 1 all the same.
        with np.errstate(over="ignore"):
            return 0.5 * (1.0 + np.tanh(values / (2.0 * self.logistic)))


class Term(BaseModel):
    """One signal of a reward.

    role: `reward` adds weight × value; `gate` does too, but a value of 0 puts the sample at the floor and
    keeps it from all other scorers; `veto` (value 1 = violation) takes away the positive part of the term it
    names in `vetoes`; `monitor` is only recorded.
    weight: a number, or a schedule over policy steps (see salon.rewards.schedule).
    when: a condition on the prompt (see salon.rewards.condition). Where it does not hold, the term is not
    applicable: nobody is asked, nothing is added, and the term's statistics do not see the row.
    on_missing (the infrastructure's fault, never the sample's): `neutral` enters as average, `renormalize`
    gives its weight to the terms that are there, `drop_sample` and `drop_group` give no reward at all,
    `raise` stops the run.
    deadline_s: seconds for all groups of a step together; what is late is missing. concurrency: groups
    scored at once.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    scorer: str
    args: validation.Args = {}
    weight: Weight = 0.0
    when: Annotated[str, Field(min_length=1)] | None = None
    role: Role = "reward"
    vetoes: str | None = None
    squash: Squash | None = None
    normalize: Normalize | None = None
    on_missing: OnMissing = "drop_sample"
    deadline_s: validation.Seconds = 300.0
    concurrency: Annotated[int, Field(ge=1, le=256)] = 1
    judge: str | None = None

    @field_validator("when")
    @classmethod
    def _is_condition(cls, when: str | None) -> str | None:
        if when is not None:
            parse_condition(when)
        return when

    def weight_at(self, step: int) -> float:
        """The weight at a policy step."""
        return weight_at(self.weight, step)

    @property
    def weighs(self) -> bool:
        """Whether it has a weight at any step."""
        return any(values_of(self.weight))

    @property
    def decides(self) -> bool:
        """Whether the total depends on it: it has a weight, refuses, or takes away."""
        return self.weighs or self.role in ("gate", "veto")

    @property
    def condition(self) -> Condition | None:
        """`when`, read; None where the term always applies."""
        return parse_condition(self.when) if self.when is not None else None

    @model_validator(mode="after")
    def _role_fits(self) -> Self:
        if self.role in ("reward", "gate") and "weight" not in self.model_fields_set:
            raise ValueError(f"a {self.role} needs a `weight`; to only record it write `role: monitor`")
        if self.role in ("veto", "monitor") and self.weighs:
            raise ValueError(f"a {self.role} adds nothing to the sum: remove its `weight`")
        if (self.role == "veto") != (self.vetoes is not None):
            raise ValueError("`role: veto` and `vetoes: <term>` go together")
        if self.role in ("gate", "veto") and (self.squash or self.normalize):
            raise ValueError(f"a {self.role} is 0 or 1: remove its `squash` and `normalize`")
        if self.role == "gate" and self.on_missing in ("neutral", "renormalize"):
            raise ValueError(
                "a gate that could not be asked lets nothing through: use drop_sample or drop_group"
            )
        if self.role == "gate" and min(values_of(self.weight)) < 0:
            raise ValueError("a gate's weight is not negative: passing it must not cost anything")
        return self


class PartSpec(BaseModel):
    """A built-in kind or a module:attribute path; every other key is handed to it as an argument."""

    model_config = ConfigDict(extra="allow", frozen=True)
    kind: str

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, data: Any) -> Any:
        return validation.plain_values(data)

    @property
    def args(self) -> dict[str, Any]:
        return dict(self.model_extra or {})


class JudgeSpec(PartSpec):
    """A judge, that scorers ask about pictures."""


class ClassifierSpec(PartSpec):
    """A classifier, that `when` asks about prompts."""


class Standardize(BaseModel):
    """`compose: {standardize: batch}`: each reward term becomes a z-score over the batch or inside its group,
    or its rank inside its group.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    standardize: Literal["batch", "group", "rank"]


class KnownPictures(BaseModel):
    """`check: {good: file}`: what the start-up check compares. Files are pictures (PNG, JPEG, WebP), or
    sources, that are rendered in the run's medium; their paths are relative to where you are.

    bad: by default, blank paper of the same size. prompt: what they are pictures for, the text or the id of
    one of the run's prompts (by default its first), or another text.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    good: Annotated[str, Field(min_length=1)]
    bad: Annotated[str, Field(min_length=1)] | None = None
    prompt: str = ""


class RewardRecipe(BaseModel):
    """A whole reward. Names of terms are unique, since they are keys; their order is the order of every
    record.

    compose: `weighted_sum`, or every reward term standardised first.
    advantage: how totals become advantages (see salon.rewards.estimator); without it the trainer decides.
    floor: the total of a sample that fails a gate. By default 0, or, where terms are standardised (so that 0
    is the average), -3 × the sum of the standardised weights, at the step where weights change.
    judges, classifiers: who is asked about pictures, and about prompts, by name.
    check: pictures for the start-up check, or false to skip it (see salon.rewards.preflight.startup).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    compose: Literal["weighted_sum"] | Standardize = "weighted_sum"
    advantage: Estimator | None = None
    floor: FiniteFloat | None = None
    terms: Annotated[dict[TermName, Term], Field(min_length=1)]
    judges: dict[str, JudgeSpec] = {}
    classifiers: dict[str, ClassifierSpec] = {}
    check: Annotated[KnownPictures | bool, Field(union_mode="left_to_right")] = True

    @model_validator(mode="after")
    def _names_resolve(self) -> Self:
        for name, term in self.terms.items():
            for label in sorted(term.condition.labels if term.condition else ()):
                if label not in self.classifiers:
                    known = did_you_mean(label, self.classifiers) if self.classifiers else ""
                    raise ValueError(
                        f"terms.{name}.when: labels.{label} is not in the section `classifiers`.{known}"
                    )
            if term.judge is not None and term.judge not in self.judges:
                known = did_you_mean(term.judge, self.judges) if self.judges else ""
                raise ValueError(f"terms.{name}.judge: {term.judge!r} is not in the section `judges`.{known}")
            target = self.terms.get(term.vetoes) if term.vetoes else None
            if term.vetoes and (target is None or target.role != "reward"):
                rewards = [each for each, other in self.terms.items() if other.role == "reward"]
                hint = did_you_mean(term.vetoes, rewards)
                raise ValueError(f"terms.{name}.vetoes: {term.vetoes!r} is no term with role reward.{hint}")
        rewards = [name for name, term in self.terms.items() if term.role == "reward"]
        if self.advantage is not None and self.advantage.kind == "gdpo":
            for name in rewards:
                if self.normalize_of(name) != "group":
                    raise ValueError(
                        f"advantage: gdpo sums terms that were standardised inside their group, and {name} is"
                        " not. Write `compose: {standardize: group}`."
                    )
        if not any(term.weighs for term in self.terms.values()):
            raise ValueError("no term has a weight, so every reward would be the same")
        return self

    def normalize_of(self, name: str) -> Normalize:
        """How a term is normalised: its own `normalize`, else the recipe's `compose`. Gates and vetoes never
        are.
        """
        term = self.terms[name]
        if term.role in ("gate", "veto"):
            return "none"
        if term.normalize is not None:
            return term.normalize
        return "none" if self.compose == "weighted_sum" else self.compose.standardize

    def floor_at(self, step: int = 0) -> float:
        """The total of a sample that fails a gate, at a policy step."""
        if self.floor is not None:
            return self.floor
        weights = [abs(self.terms[name].weight_at(step)) for name in self._standardized()]
        return -DEFAULT_FLOOR_SIGMAS * sum(weights) if weights else 0.0

    def _standardized(self) -> Iterator[str]:
        return (name for name in self.terms if self.normalize_of(name) != "none")

    def knots(self) -> list[int]:
        """The policy steps that some schedule names; [0] without a schedule."""
        return sorted({knot for term in self.terms.values() for knot in knots_of(term.weight)}) or [0]

    def identity(self) -> dict[str, Any]:
        """Everything that decides a reward, JSON-ready: all but the start-up check and the budgets, which may
        be raised while a run goes on.
        """
        full = self.model_dump(mode="json", exclude={"check"})
        return full | {
            "judges": {name: _decisive_judge(spec) for name, spec in full["judges"].items()},
            "terms": {
                name: term | {"args": decisive_args(self.terms[name])} for name, term in full["terms"].items()
            },
        }

    @property
    def digest(self) -> str:
        """SHA-256 over everything that decides a reward, in hex."""
        text = json.dumps(self.identity(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def without_budget(spec: Any) -> Any:
    """A judge as a recipe writes it, without what it may spend; the members of a council too."""
    if isinstance(spec, Mapping):
        return {key: without_budget(value) for key, value in spec.items() if key != "budget"}
    return [without_budget(each) for each in spec] if isinstance(spec, list) else spec


def decisive_args(term: Term) -> dict[str, Any]:
    """A term's arguments, without what a score server may spend, and without those that a built-in scorer
    would take anyway: a default that is written out is no other reward.
    """
    args = without_defaults("scorer", term.scorer, term.model_dump(mode="json")["args"])
    return {key: value for key, value in args.items() if term.scorer != "served" or key != "budget"}


def _decisive_judge(spec: Any) -> Any:
    """A judge as a recipe writes it, without what it may spend and the defaults that it would have anyway."""
    if not isinstance(spec, Mapping):
        return spec
    told = without_defaults("judge", str(spec.get("kind")), without_budget(spec))
    if isinstance(members := told.get("members"), list):
        told["members"] = [_decisive_judge(member) for member in members]
    return told


def without_defaults(
    kind: Literal["scorer", "judge", "medium"], name: str, args: Mapping[str, Any]
) -> dict[str, Any]:
    """The arguments of a part without those that a built-in one would take anyway."""
    defaults = _defaults(kind, name)
    return {
        key: value for key, value in args.items() if key not in defaults or not _same(value, defaults[key])
    }


def _same(value: Any, default: Any) -> bool:
    """Whether a value of a recipe is the default: 60 is 60.0, and no other type means the same."""
    number = float(value) if isinstance(default, float) and type(value) is int else value
    return json.dumps(number) == json.dumps(default)


@functools.cache
def _defaults(kind: Literal["scorer", "judge", "medium"], name: str) -> Mapping[str, Any]:
    """The plain defaults of a built-in part's arguments; of one's own none are looked for."""
    if name not in BUILTINS[kind]:
        return {}
    parameters = inspect.signature(resolve(kind, name)).parameters
    defaults = {each.name: each.default for each in parameters.values()}
    if "server" in defaults:  # **server: how a chat server is asked.
        fields = ServerSettings.model_fields.items()
        defaults |= {name: field.default for name, field in fields if name not in defaults}
    plain = (str, int, float, bool, list, tuple, dict, type(None))
    return {name: value for name, value in defaults.items() if isinstance(value, plain)}


class RewardFile(BaseModel):
    """The file a reward recipe stands in: the one key `reward`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    reward: RewardRecipe


def load_reward(source: str | Path | Mapping[str, Any], allow: Sequence[str] = ()) -> RewardRecipe:
    """Read a reward recipe from a YAML file, or from a mapping (with or without the key `reward`).

    ${NAME} stays as written until the parts are built: a recipe can be read, hashed and checked without its
    secrets.

    Args:
        source: the file, the name of one that ships, or its content.
        allow: modules that recipes may use from now on: `allow=["my_scorers"]` (see salon.registry).

    Raises:
        RecipeError: names the file, the key and, for a typo, the key that was probably meant.
    """
    allow_modules(*allow)
    if isinstance(source, Mapping):
        data, where = dict(source), "reward"
        validation.refuse_keys(data, where)
    else:
        file = find_recipe(source)
        data, where = validation.read_yaml(file), str(file)
        look_in(file.parent)
    if "terms" in data:
        return validation.validated(RewardRecipe, data, where)
    if {"policy", "reward"} <= data.keys():
        named = data["reward"]
        remedy = (
            f"Give the file that it names: {named}"
            if isinstance(named, str)
            else "Put its section `reward` into a file of its own"
        )
        raise RecipeError(f"{where}: is the recipe of a run, and a reward is asked for. {remedy}.")
    validation.refuse_other_kind(data, where, "a reward")
    return validation.validated(RewardFile, data, where).reward


def reward_schema() -> dict[str, Any]:
    """The JSON Schema of a reward recipe's file, for editors."""
    return RewardFile.model_json_schema()
