"""What the frozen base policy would have painted: the other side of detectors that compare with it.

It paints in the main thread, before the scorers begin: the policy's own weights are never used by two at
once, also where a scorer is overdue and still runs.
"""

import hashlib
import json
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from salon.errors import boundary
from salon.files.cache_folders import cache_folder, trim
from salon.media.render_samples import develop
from salon.policies.code_lm import LoadedPolicy, load_policy, sample
from salon.recipe import RunRecipe
from salon.registry import BUILTINS
from salon.rewards.engine import RewardEngine
from salon.store.runs import write_atomic
from salon.types import Failure, Group, Medium, Picture, Prompt, Sample

Opened = AbstractContextManager[LoadedPolicy]
TRIES = 4
"""So many answers are tried until one renders."""
LIMIT_BYTES = 500_000_000
_KEYS = ("temperature", "max_new_tokens", "top_p")


class BasePainter:
    """Paints the base's picture for a prompt and a seed, once: kept in memory, and on disk for all runs with
    the same base, medium and settings.

    Args:
        recipe: the run's.
        base: the base policy's name and identity; its weights are those that `borrow` gives.
        medium: the run's.
        borrow: lends the base policy for a while; by default it is loaded when it is first needed.
        folder: where pictures lie; None for `cache_folder("bases")`. A medium of one's own is not kept on
            disk: what decides its pixels is not known.
    """

    def __init__(
        self,
        recipe: RunRecipe,
        base: LoadedPolicy,
        medium: Medium,
        borrow: Callable[[], Opened] | None = None,
        folder: Path | None = None,
    ) -> None:
        self.borrow = borrow or _loaded_once(base)
        self.painted = 0
        self._recipe, self._medium = recipe, medium
        self._known: dict[tuple[str, int], Picture | Failure] = {}
        self._settings = {key: getattr(recipe.policy, key) for key in _KEYS}
        on_disk = recipe.medium.cache and recipe.medium.name in BUILTINS["medium"]
        self._folder = (folder or cache_folder("bases")) if on_disk else None
        decides = [base.identity, self._settings, recipe.medium.model_dump(mode="json"), medium.versions()]
        self._prefix = json.dumps(decides, sort_keys=True, default=str)
        if self._folder is not None:
            trim(self._folder, LIMIT_BYTES)

    def find(self, prompt: Prompt, seed: int) -> Picture | Failure | None:
        """What was painted, why nothing was, or None where nobody asked for it before."""
        return self._known.get((prompt.text, seed))

    def prepare(self, groups: Sequence[Group]) -> None:
        """Paint for every prompt and seed of these groups. Nothing raises: what fails is found as a
        failure.
        """
        wanted = {(s.prompt.text, s.seed): s.prompt for group in groups for s in group.samples if s.picture}
        missing = {
            key: prompt for key, prompt in wanted.items() if not isinstance(self._known.get(key), Picture)
        }
        for key in missing:
            if (kept := self._read(key)) is not None:
                self._known[key] = kept
        rest = {
            key: prompt for key, prompt in missing.items() if not isinstance(self._known.get(key), Picture)
        }
        if not rest:
            return
        with boundary("policy") as caught, self.borrow() as policy:
            for key, prompt in rest.items():
                self._known[key] = self._paint(policy, prompt, key[1])
                self._keep(key, self._known[key])
        if caught.failure is not None:
            lost = replace(caught.failure, fault="system")
            self._known |= {key: lost for key in rest if key not in self._known}

    def _paint(self, policy: LoadedPolicy, prompt: Prompt, seed: int) -> Picture | Failure:
        """The first of a few answers that renders."""
        told = ""
        for number in range(TRIES):
            [answer] = sample(policy, [prompt], 1, seed + number, **self._settings)
            draft = Sample(f"base-{number}", prompt, answer.text, seed=seed)
            made = develop(self._medium, [draft])[0]
            if made.failure is None and made.picture is not None:
                self.painted += 1
                return made.picture
            told = f"{made.failure.code}: {made.failure.message}" if made.failure else "no picture"
        return Failure(
            "no_base_picture", f"none of the base's {TRIES} answers renders ({told})", "system", "score"
        )

    def _place(self, key: tuple[str, int]) -> Path | None:
        if self._folder is None:
            return None
        name = hashlib.sha256(json.dumps([self._prefix, *key]).encode()).hexdigest()
        return self._folder / name[:2] / name

    def _read(self, key: tuple[str, int]) -> Picture | None:
        place = self._place(key)
        if place is None:
            return None
        with suppress(OSError, ValueError):
            return Picture.from_png(place.read_bytes())
        return None

    def _keep(self, key: tuple[str, int], found: Picture | Failure) -> None:
        place = self._place(key)
        if place is not None and isinstance(found, Picture):
            with suppress(OSError):
                write_atomic(place, found.png)


def base_painter(
    engine: RewardEngine,
    recipe: RunRecipe,
    base: LoadedPolicy,
    medium: Medium,
    borrow: Callable[[], Opened] | None = None,
) -> BasePainter | None:
    """A painter for the scorers that compare with the base; None where no scorer does."""
    asking = engine.against_base()
    if not asking:
        return None
    painter = BasePainter(recipe, base, medium, borrow)
    for scorer in asking:
        scorer.use_base(painter.find)
    return painter


def lent_by(trainer: Any, base: LoadedPolicy) -> Callable[[], Opened] | None:
    """The base inside a trainer: its model with the adapters off, or its reference model; None where it has
    neither, so that the base must be loaded beside it.
    """
    from peft import PeftModel

    model: Any = trainer.accelerator.unwrap_model(trainer.model)
    reference = getattr(trainer, "ref_model", None)

    @contextmanager
    def without_adapters() -> Generator[LoadedPolicy]:
        with model.disable_adapter():
            yield replace(base, model=model)

    @contextmanager
    def as_reference() -> Generator[LoadedPolicy]:
        yield replace(base, model=trainer.accelerator.unwrap_model(reference))

    if isinstance(model, PeftModel):
        return without_adapters
    return as_reference if reference is not None else None


def _loaded_once(base: LoadedPolicy) -> Callable[[], Opened]:
    """Loads the base beside the policy that learns, where that one is, when it is first asked for."""
    loaded: list[LoadedPolicy] = []

    @contextmanager
    def borrow() -> Generator[LoadedPolicy]:
        if not loaded:
            fresh = load_policy(base.name)
            loaded.append(replace(fresh, model=fresh.model.to(base.model.device)))
        yield loaded[0]

    return borrow
