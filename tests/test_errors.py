"""The exception tree and the boundary: what becomes data, and what passes through."""

import pytest

from salon.errors import BudgetSpent, RecipeError, SalonError, SetupError, StageError, StoreError, boundary
from salon.types import Failure


def test_everything_salon_raises_is_a_salon_error() -> None:
    failure = Failure("blank_canvas", "nothing was painted", fault="sample", stage="render")
    errors = [RecipeError("a"), SetupError("b"), StoreError("c"), BudgetSpent("d"), StageError(failure)]
    assert all(isinstance(error, SalonError) for error in errors)


def test_a_block_that_goes_through_leaves_no_failure() -> None:
    with boundary("score") as caught:
        value = 1 + 1
    assert value == 2
    assert caught.failure is None


def test_an_unexpected_exception_is_the_systems_fault() -> None:
    with boundary("score") as caught:
        raise ZeroDivisionError("division by zero")
    assert caught.failure == Failure(
        "internal_error", "ZeroDivisionError: division by zero", fault="system", stage="score"
    )


def test_a_stage_error_keeps_its_own_failure() -> None:
    failure = Failure("blank_canvas", "nothing was painted", fault="sample", stage="render")
    with boundary("score") as caught:
        raise StageError(failure)
    assert caught.failure == failure
    assert str(StageError(failure)) == "blank_canvas: nothing was painted"


def test_a_long_message_is_cut() -> None:
    with boundary("judge") as caught:
        raise ValueError("x" * 10_000)
    assert caught.failure is not None
    assert len(caught.failure.message) == 500


@pytest.mark.parametrize("error", [RecipeError, SetupError, BudgetSpent, KeyboardInterrupt, SystemExit])
def test_the_users_mistakes_and_interrupts_pass_through(error: type[BaseException]) -> None:
    with pytest.raises(error), boundary("score"):
        raise error("stop")


def test_a_broken_store_is_contained() -> None:
    with boundary("score") as caught:
        raise StoreError("runs/a: manifest.json is missing")
    assert caught.failure is not None
    assert caught.failure.fault == "system"
