"""What a sketch threw, as a code of its own and a message for whoever wrote it."""

import re

from salon.media.page import Report

PATTERNS = (
    (r"^Error: (?:Brush|Hatch) .* not found", "unknown_brush_name"),
    (r"^Error: Field .* does not exist", "unknown_field_name"),
    (r"^Error: No brush or color set", "no_brush_set"),
    (r"^Error: \w+\(\) called (?:without|outside of) begin", "shape_order"),
    (r"before initialization", "used_before_defined"),
)
BEFORE_P5 = r"ReferenceError: \w+ is not defined|TypeError: .*\(reading '(?:states|_renderer)'\)"
BEFORE_SETUP = "p5's functions and variables exist from setup() on"


def explain(report: Report) -> tuple[str, str]:
    """The code and the message of a report whose kind is "threw", itself the code of what is not known.

    Example:
        `let w = random(9);` above setup() throws "ReferenceError: random is not defined" before p5 starts:
        ("called_before_setup", "ReferenceError: random is not defined (line 1): p5's functions …").
    """
    message = f"{report.message} (line {report.line})" if report.line else report.message
    if message.startswith("SyntaxError") and not report.started:
        return "syntax_error", message
    if not report.started and re.match(BEFORE_P5, message):
        return "called_before_setup", f"{message}: {BEFORE_SETUP}"
    found = (code for pattern, code in PATTERNS if re.search(pattern, report.message))
    return next(found, "threw"), message
