"""Several questions at once: in order, bounded, on the right account, and no hindrance to Ctrl-C."""

import subprocess
import sys
import threading
import time

import pytest

from salon.errors import RecipeError, StageError
from salon.llm.threads import at_once
from salon.llm.usage import Account, Usage, charge, on_account


def test_answers_come_in_order_and_no_more_at_once_than_allowed() -> None:
    busy: list[int] = []
    most: list[int] = []

    def work(number: int) -> int:
        busy.append(number)
        most.append(len(busy))
        time.sleep(0.01 * (5 - number % 5))
        busy.remove(number)
        charge(Usage(calls=1))
        return number * number

    with on_account(Account()) as account:
        assert at_once(work, range(20), 4) == [number * number for number in range(20)]
    assert 2 <= max(most) <= 4
    assert account.total.calls == 20
    assert at_once(work, [], 4) == []


def test_the_users_mistake_stops_what_is_not_begun() -> None:
    begun: list[int] = []

    def work(number: int) -> int:
        begun.append(number)
        if number == 3:
            raise RecipeError("the key is wrong")
        time.sleep(0.01)
        return number

    with pytest.raises(RecipeError, match="the key is wrong"):
        at_once(work, range(100), 2)
    assert len(begun) < 100


def test_any_other_error_is_the_systems_failure() -> None:
    with pytest.raises(StageError, match="internal_error: ZeroDivisionError"):
        at_once(lambda number: 1 // number, [1, 0], 2)
    assert threading.active_count() < 50


_PROGRAM = """
import threading, time
from salon.llm.threads import at_once
threading.Thread(target=lambda: at_once(time.sleep, [3600] * 100, 8), daemon=True).start()
time.sleep(0.2)
raise KeyboardInterrupt
"""


def test_a_program_ends_with_questions_on_their_way() -> None:
    """They take an hour each: who waited for one would be ended with the test."""
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, timeout=250, check=False)
    assert b"KeyboardInterrupt" in done.stderr
