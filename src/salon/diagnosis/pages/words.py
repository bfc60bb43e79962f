"""Numbers and lists as people read them."""

from collections.abc import Sequence

from salon.diagnosis.finding import Number
from salon.number_text import decimal

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def percent(share: float) -> str:
    """87 %; 0.4 % below one percent and 99.6 % above ninety-nine, so that "0 %" and "100 %" are exact."""
    hundred = 100 * share
    edge = 0 < abs(hundred) < 1 or 99 < abs(hundred) < 100
    return f"{hundred:.1f} %" if edge else f"{hundred:.0f} %"


def between(number: Number, as_percent: bool = False) -> str:
    """`(95 % interval .82 to .91)`, or nothing where there is none that has a width."""
    show = percent if as_percent else decimal
    if number.low is None or number.high is None or number.is_exact:
        return ""
    # Ends that look like the value would claim more than they know.
    if show(number.low) == show(number.high) == show(number.value):
        return ""
    return f"(95 % interval {show(number.low)} to {show(number.high)})"


def with_interval(number: Number, as_percent: bool = False) -> str:
    """The value, and its interval in brackets."""
    show = percent if as_percent else decimal
    return f"{show(number.value)} {between(number, as_percent)}".strip()


def listed(names: Sequence[str], most: int = 8) -> str:
    """a, b and c; from `most` on only how many more there are."""
    shown = list(names) if len(names) <= most else [*names[: most - 1], f"{len(names) - most + 1} more"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else "none"


def spelled(count: int) -> str:
    """Five, 12: small counts as words."""
    return _COUNTS[count] if count < len(_COUNTS) else f"{count:,}"


def times(count: int) -> str:
    """Once, twice, three times."""
    return {1: "once", 2: "twice"}.get(count, f"{spelled(count)} times")


def counted(count: int, one: str, many: str = "") -> str:
    """1 row, 2,400 rows."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
