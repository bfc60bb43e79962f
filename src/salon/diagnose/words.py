"""Numbers and lists as people read them."""

from collections.abc import Sequence

from salon.diagnose.finding import Number

LONG = 1e12
"""From here on numbers are told as powers of ten."""
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def decimal(value: float, digits: int = 2, sign: bool = False) -> str:
    """.87, −.10, 12.5: no zero before the point, fewer digits for larger values."""
    size = abs(value)
    digits = max(0, digits if size < 10 else digits - 1 if size < 100 else 0)
    text = f"{size:,.{digits}f}" if size < LONG else f"{size:.2e}"
    if text.startswith("0.") and float(text) != 0:
        text = text[1:]
    if digits and float(text.replace(",", "")) == 0:
        text = "0"
    mark = "−" if value < 0 and text != "0" else "+" if sign else ""
    return mark + text


def compact(value: float) -> str:
    """An axis label, with as few digits as tell the value: 10, .25, −3.5."""
    size = abs(value)
    text = f"{size:,.0f}" if 100 <= size < LONG else f"{size:.{2 if size < 1 else 3}g}"
    return ("−" if value < 0 and text != "0" else "") + text.removeprefix(
        "0" if text.startswith("0.") else ""
    )


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
