"""Numbers as people read them."""

from salon.markup import visible
from salon.number_text import LONG, number

SPACE = "\N{NARROW NO-BREAK SPACE}"


def brief(value: float | None) -> str:
    """A value of unknown size: two digits below 10, none from 100 on."""
    return number(value, 2 if value is None or abs(value) < 10 else 1 if abs(value) < 100 else 0)


def percent(share: float | None) -> str:
    """97 % of a share of .97."""
    return "–" if share is None else f"{100 * share:.0f}{SPACE}%"


def duration(seconds: float) -> str:
    """38 s, 9 min 41 s, 1 h 12 min."""
    if seconds >= LONG:
        return f"{number(seconds)}{SPACE}s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole}{SPACE}s" if seconds >= 10 else f"{seconds:.1f}{SPACE}s"
    if whole < 3600:
        return f"{whole // 60}{SPACE}min {whole % 60}{SPACE}s"
    return f"{whole // 3600}{SPACE}h {whole % 3600 // 60}{SPACE}min"


def shorten(text: str, most: int = 2_000) -> str:
    """`text` as far as it can be seen, and beyond `most` characters its beginning, with how much more there
    is.
    """
    if len(text) <= most:
        return visible(text)
    return f"{visible(text[:most])}\n… and {len(text) - most:,} characters more"


def brief_name(name: str, most: int = 80) -> str:
    """A name in a line of others: cut in its middle where it is too long."""
    return name if len(name) <= most else f"{name[: most - 20]}…{name[-19:]}"


def count(amount: int, one: str, many: str = "") -> str:
    """1 sketch, 384 sketches."""
    return f"{amount:,} {one if amount == 1 else many or one + 's'}"


def moved(before: float, after: float, tolerance: float = 0.005) -> str:
    """rose, fell or stayed: what happened between two values."""
    if abs(after - before) < tolerance:
        return "stayed"
    return "rose" if after > before else "fell"
