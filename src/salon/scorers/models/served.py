"""A preference model that runs elsewhere, behind `salon serve-scorer` or another server of that protocol.

The heavy ones pin libraries that conflict with one another and with ours: each is best run in an environment
of its own.
"""

from typing import Any

from salon.judges.score_client import ServedModel
from salon.types import Group, Score

from .edits import picture_before
from .rated import rate_group


class Served:
    """What a served model says about each picture, in its own units: squash or standardise the term.

    Args:
        base_url: the server's address, such as http://127.0.0.1:8009.
        prompt: what every picture is scored against; None for the prompt's own text.
        before: for models of edits: the key of a prompt's `meta` that has the file of the picture which was
            to be edited.
        given: reward, sub, batch, and how patiently it is asked: concurrency, deadline_s, attempts, cache …
            (see salon.judges.score_client.ScoreSettings).

    Raises:
        RecipeError: a setting is unknown or wrong.
    """

    version = "1"

    def __init__(self, base_url: str, prompt: str | None = None, before: str = "", **given: Any) -> None:
        self._model = ServedModel(base_url, **given)
        self._prompt, self._before = prompt, before

    @property
    def identity(self) -> str:
        """The server's model. Raises RecipeError when it does not answer."""
        return self._model.identity

    def score(self, group: Group) -> list[Score]:
        """One number per sample; an outage leaves it missing."""
        before = (picture_before(group.prompt, self._before),) if self._before else ()
        return rate_group(self._model, group, self._prompt, before=before)
