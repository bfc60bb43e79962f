"""EditScore through its own package, with the words that it was trained on (`pip install editscore`).

Its `evaluate` puts a random number where an answer cannot be read, and its `batch_evaluate` half of the
range. So only its questions and its model are used here: answers are read strictly, asked for again with
another seed, and missing where that does not help.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Literal

from salon.errors import RecipeError, SetupError, StageError
from salon.judges.preference_model import Request
from salon.raster import decode
from salon.scorers.models.edits import SOURCE, picture_before, rate_edits
from salon.scorers.models.rated import package_version, rate_group
from salon.types import Group, Score

from .edit_score import SEED, TEMPERATURE, TOP, EditPass, edit_score, read_pair

ATTEMPTS = 3
_NEXT_TRY = 1000
"""Between the seeds of two attempts; passes are one apart."""


class EditScoreLocal:
    """EditScore's number for each edit, 0 to 10.

    Tested against a stand-in of the package; neither that nor its weights have been run here.

    Args:
        model: the vision-language model underneath, such as Qwen/Qwen2.5-VL-7B-Instruct.
        lora: EditScore's weights for it, such as EditScore/EditScore-7B; empty where they are merged.
        backbone: how the package runs it: qwen25vl, qwen25vl_vllm, qwen3vl …
        passes: how often each question is asked, with seeds of its own.
        prompt: the instruction for every edit; None for the prompt's own text.
        before: the key of a prompt's meta that has the file of the picture which was to be edited.
        package: further arguments of the package's class, such as tensor_parallel_size.

    Raises:
        SetupError: the package is not installed, or is built otherwise.
    """

    version = "1"
    of_edits: Literal[True] = True

    def __init__(
        self,
        model: str,
        lora: str = "",
        backbone: str = "qwen25vl",
        passes: int = 1,
        prompt: str | None = None,
        before: str = SOURCE,
        **package: Any,
    ) -> None:
        if passes < 1:
            raise RecipeError("passes: is 1 or more.")
        self._passes, self._prompt, self._before = passes, prompt, before
        given = {"temperature": TEMPERATURE, **package}
        made = _load(backbone=backbone, model_name_or_path=model, lora=lora, **given)
        try:
            self._following, self._quality = str(made.SC_prompt), str(made.PQ_prompt)
            self._prepare: Callable[..., Any] = made.model.prepare_input
            self._infer: Callable[..., Any] = made.model.inference
        except AttributeError as error:
            raise SetupError(
                f"this editscore is built otherwise ({error}). Try: pip install editscore"
            ) from error
        settings = " ".join(f"{key}={value}" for key, value in given.items())
        self.identity = f"{lora or model} editscore {package_version('editscore')} {settings} × {passes}"

    def score(self, group: Group) -> list[Score]:
        """A number per sample."""
        before = picture_before(group.prompt, self._before)
        return rate_group(self, group, self._prompt, before=(before,))

    def rate(self, requests: Sequence[Request]) -> list[Score]:
        """The same for any edits, each for its own instruction and with the picture before it."""
        return rate_edits(requests, lambda whole: [self._rate(each) for each in whole])

    def _rate(self, request: Request) -> Score:
        before, after = decode(request.before[0].png), decode(request.picture.png)
        words = self._following.replace("<instruction>", request.text)
        following = self._prepare([before, after], words)
        # The edited picture alone: its evaluate does so, though its batch_evaluate shows both.
        quality = self._prepare([after], self._quality)
        try:
            passes = [
                EditPass(*self._ask(following, number), min(self._ask(quality, number)))
                for number in range(self._passes)
            ]
        except StageError as error:
            return Score(None, error.failure)
        return edit_score(passes)

    def _ask(self, prepared: Any, number: int) -> tuple[float, float]:
        for attempt in range(ATTEMPTS):
            said = self._infer(prepared, seed=SEED + number + attempt * _NEXT_TRY)
            try:
                return read_pair(str(said))
            except StageError:
                if attempt == ATTEMPTS - 1:
                    raise
        raise AssertionError("unreachable")


def _load(lora: str, **given: Any) -> Any:
    try:
        from editscore import EditScore  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise SetupError(
            f"the scorer edit_score_local needs torch and the package editscore ({error}). Install it in an"
            " environment of its own (it wants an old torch): pip install editscore; then"
            " salon serve-scorer edit_score_local there."
        ) from error
    # The package took `enable_lora` until October 2025, and ignored a path without it.
    older = {"enable_lora": bool(lora)} if "enable_lora" in inspect.signature(EditScore).parameters else {}
    try:
        return EditScore(lora_path=lora or None, score_range=TOP, num_pass=1, seed=SEED, **older, **given)
    except TypeError as error:
        raise SetupError(
            f"this editscore is built otherwise ({error}). Try: pip install editscore"
        ) from error
