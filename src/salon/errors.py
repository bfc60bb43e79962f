"""The exception tree, and the one place where an exception becomes data.

    SalonError
    ├── RecipeError      a recipe, a flag or a data file is wrong: names the file, the key and the remedy
    ├── SetupError       something is not installed: names it and the command that installs it
    ├── StoreError       a run folder cannot be read or must not be written
    ├── BudgetSpent      a judge may spend no more: the work stopped, and what is done is kept
    └── StageError       a stage failed for one sample; carries the Failure that says whose fault it was

`boundary(stage)` is the only `except Exception` in salon. Inside it, code raises; outside it, failures are
values.
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from salon.markup import printable
from salon.secrets.known import redact
from salon.types import Failure


class SalonError(Exception):
    """Anything salon raises on purpose. A key that got into its message is hidden."""

    def __init__(self, *told: object) -> None:
        super().__init__(*(redact(each) if isinstance(each, str) else each for each in told))


class RecipeError(SalonError):
    """A recipe, a flag or a data file is wrong."""


class SetupError(SalonError):
    """Something that is needed is not installed."""


class StoreError(SalonError):
    """A run folder cannot be read, or must not be written."""


class BudgetSpent(SalonError):
    """A judge that decides may spend no more. What was done is kept, and the message says how to go on."""


class StageError(SalonError):
    """A stage failed for one sample."""

    def __init__(self, failure: Failure) -> None:
        failure = replace(failure, code=redact(failure.code), message=redact(failure.message))
        super().__init__(f"{failure.code}: {failure.message}")
        self.failure = failure


@dataclass(slots=True)
class Caught:
    """What `boundary` caught; `failure` is None when the block went through."""

    failure: Failure | None = None


@contextmanager
def boundary(stage: str, in_thread: bool = False) -> Generator[Caught]:
    """Turn an exception inside the block into a Failure, once.

    A StageError keeps its own failure; anything else is the system's fault, with the exception's class in its
    message. The user's own mistakes (RecipeError, SetupError) and BudgetSpent pass through; so do
    KeyboardInterrupt and SystemExit, unless the block runs `in_thread`: there nobody pressed Ctrl-C, and
    whoever raises them would only end the thread that others wait for.

    Example:
        with boundary("score") as caught:
            scores = scorer.score(group)
        if caught.failure: ...
    """
    caught = Caught()
    try:
        yield caught
    except (RecipeError, SetupError, BudgetSpent):
        raise
    except StageError as error:
        caught.failure = error.failure
    except Exception as error:
        caught.failure = _unexpected(error, stage)
    except BaseException as error:
        if not in_thread:
            raise
        caught.failure = _unexpected(error, stage)


def _unexpected(error: BaseException, stage: str) -> Failure:
    # Hidden before it is cut: half a key would not be known again.
    message = printable(redact(f"{type(error).__name__}: {error}"), 500)
    return Failure(code="internal_error", message=message, fault="system", stage=stage)
