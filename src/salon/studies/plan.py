"""What a reproduction runs: a recipe, two rewards, a measure for both, and seeds."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from salon import validation
from salon.errors import RecipeError
from salon.files.shipped_recipes import find_beside, find_recipe
from salon.recipe import RunRecipe, load_run_recipe
from salon.rewards.recipe import RewardRecipe, load_reward

SIDES = ("old", "new")
HELD_OUT = "flowers-heldout"


class Judges(BaseModel):
    """The ratings that the old reward's judges are fitted to, drawn anew for each of them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    pool: str = "flowers"
    split: Literal["train", "held_out"] = "train"
    seed: validation.Seed = 0


class OldVsNew(BaseModel):
    """Two rewards on one painter. Paths are relative to the file.

    `pairs`: held-out prompts on which each trained policy meets its base; 0 leaves that out.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    run: str
    old: str
    new: str
    measured_by: str
    seeds: Annotated[tuple[validation.Seed, ...], Field(min_length=1)] = (0, 1, 2)
    pairs: int = Field(default=24, ge=0)
    judges: Judges = Judges()
    out: str = Field(pattern=r"\S")
    folder: str = ""
    """Of the recipe file; filled in by `load_plan`."""

    def run_folder(self, side: str, seed: int) -> Path:
        """Where a run is kept."""
        return Path(self.out) / f"{side}-{seed}"

    def measured_folder(self, side: str, seed: int) -> Path:
        """Where the same run is kept as the measure sees it."""
        return Path(self.out) / "measured" / f"{side}-{seed}"

    def measure(self) -> RewardRecipe:
        """The reward that both sides are measured by."""
        return load_reward(self._named(self.measured_by))

    def recipe(self, side: str, seed: int, overrides: Sequence[str] = ()) -> RunRecipe:
        """The run of a side: the shared recipe with its reward, its seed and its folder.

        The judges that `judge_names` gives are named by the folders that they are fitted into.
        """
        reward = self._named(self.old if side == "old" else self.new)
        ours = [
            f"reward={reward.resolve()}",
            *(f"reward.judges.{name}.name_or_path={self.judge_folder(name)}" for name in self._fitted(side)),
            f"seed={seed}",
            f"evaluate.pairs={self.pairs}",
            f"evaluate.judges=[{HELD_OUT}]",
            f"out={self.run_folder(side, seed)}",
        ]
        return load_run_recipe(self._named(self.run), [*overrides, *ours])

    def judge_names(self) -> list[str]:
        """The old reward's judges."""
        return list(load_reward(self._named(self.old)).judges)

    def judge_folder(self, name: str) -> Path:
        """Where one of them is kept."""
        return Path(self.out) / "judges" / name

    def _named(self, recipe: str) -> Path:
        return find_beside(Path(self.folder) / "plan", recipe)

    def _fitted(self, side: str) -> list[str]:
        return self.judge_names() if side == "old" else []


def load_plan(path: str | Path, overrides: Sequence[str] = ()) -> OldVsNew:
    """Read a reproduction's recipe, with `key=value` overrides.

    Raises:
        RecipeError: a mistake in it or in a file that it names; says which, and the remedy.
    """
    file = find_recipe(path)
    data = validation.read_yaml(file)
    validation.refuse_other_kind(data, file, "a reproduction's recipe")
    for override in overrides:
        validation.set_key(data, override)
    if "folder" in data:
        raise RecipeError(f"{file}: folder: it is the file's own. Remove the key.")
    plan = validation.validated(OldVsNew, {**data, "folder": str(file.parent)}, str(file))
    if len(set(plan.seeds)) < len(plan.seeds):
        raise RecipeError(f"{file}: seeds: one stands twice. Name each once.")
    for side in SIDES:
        plan.recipe(side, plan.seeds[0])
    plan.measure()
    return plan
