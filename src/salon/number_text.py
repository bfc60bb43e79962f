"""Numbers as people read them, on pages and in tables: a 0 before the point, a true minus, commas."""

LONG = 1e12
"""From here on numbers are told as powers of ten."""


def number(value: float | None, digits: int = 2, sign: bool = False) -> str:
    """0.57, −0.10, +0.10 with `sign`, and – for what is missing."""
    if value is None:
        return "–"
    text = f"{abs(value):,.{digits}f}" if abs(value) < LONG else f"{abs(value):.{digits}e}"
    if value < 0 and float(text.replace(",", "")) != 0:
        return f"−{text}"
    return f"+{text}" if sign else text


def decimal(value: float, digits: int = 2, sign: bool = False) -> str:
    """0.87, −0.10, 12.5, 0: fewer digits for larger values, and none for what rounds to nothing."""
    size = abs(value)
    digits = max(0, digits if size < 10 else digits - 1 if size < 100 else 0)
    text = number(size, 2 if size >= LONG else digits)
    if float(text.replace(",", "")) == 0:
        return "+0" if sign else "0"
    return f"−{text}" if value < 0 else f"+{text}" if sign else text


def compact(value: float) -> str:
    """An axis label: as few digits as tell the value, 10, 0.25, −3.5."""
    if value == 0:
        return "0"
    text = f"{abs(value):,.0f}" if 100 <= abs(value) < LONG else f"{abs(value):.3g}"
    return f"−{text}" if value < 0 else text
