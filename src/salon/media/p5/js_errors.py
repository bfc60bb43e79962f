"""What a sketch threw, as a code of its own and a message for whoever wrote it."""

import re

from salon.media.p5.checks.syntax import read_program
from salon.media.p5.checks.vocabulary import P5_1

from .page_reports import Report

PATTERNS = (
    (r"^Error: (?:Brush|Hatch) .* not found", "unknown_brush_name"),
    (r"^Error: Field .* does not exist", "unknown_field_name"),
    (r"^Error: No brush or color set", "no_brush_set"),
    (r"^Error: \w+\(\) called (?:without|outside of) begin", "shape_order"),
    (r"before initialization", "used_before_defined"),
)
MISSING = re.compile(r"ReferenceError: ([\w$]+) is not defined")
TAKEN = re.compile(r"TypeError: Cannot redefine property: ([\w$]+)")
NO_RENDERER = re.compile(r"TypeError: .*\(reading '(?:states|_renderer)'\)")
NO_ELEMENT = re.compile(r"properties of null|could not resolve an active WEBGL sketch")
UNDEFINED = re.compile(r"TypeError: .*(?:of undefined|is not iterable|is not a function|is undefined)")
BEFORE_SETUP = "p5's functions and variables exist from setup() on"


def explain(report: Report, source: str) -> tuple[str, str]:
    """The code and the message of a report whose kind is "threw", itself the code of what is not known.

    Example:
        `let w = random(9);` above setup() throws "ReferenceError: random is not defined" before p5 starts:
        ("called_before_setup", "ReferenceError: random is not defined (line 1): p5's functions …").
    """
    message = f"{report.message} (line {report.line})" if report.line else report.message
    if message.startswith("SyntaxError") and not report.started:
        return "syntax_error", message
    code, remedy = _remedy(report, source)
    if not code:
        code = next((code for pattern, code in PATTERNS if re.search(pattern, report.message)), "threw")
    return code, f"{message.rstrip('.')}: {remedy}" if remedy else message


def _remedy(report: Report, source: str) -> tuple[str, str]:
    """A code, where it has one of its own, and what to do about it; both empty where nothing is known."""
    if missing := MISSING.match(report.message):
        return _missing(missing[1], report, source)
    if taken := TAKEN.match(report.message):
        name = taken[1]
        return "name_taken", f"{name} is p5's own name, which a function cannot take: rename yours"
    if not report.started and NO_RENDERER.match(report.message):
        return "called_before_setup", BEFORE_SETUP
    if "(reading 'position')" in report.message and _calls(source, "bezierVertex"):
        return "p5_v1_api", "bezierVertex takes one point in p5 2, bezierVertex(x, y): call it three times"
    if NO_ELEMENT.search(report.message) and _calls(source, "getElementById", "querySelector", "select"):
        return "", "a sketch's page has no elements of its own: do without getElementById and querySelector"
    if UNDEFINED.match(report.message) and _has_preload(source):
        return "", "p5 2 does not call preload(): do it in setup(), which may be async"
    return "", ""


def _missing(name: str, report: Report, source: str) -> tuple[str, str]:
    if report.of_p5:
        instance = f"it is the instance's here, such as p.{name}"
        return ("", instance) if report.started else ("called_before_setup", BEFORE_SETUP)
    if name in read_program(source).declared:
        return "", ""
    if name in P5_1:
        return "p5_v1_api", f"it is version 1 of p5; version 2 has {P5_1[name]}"
    return "", "nothing in this source defines it; if another file does, put that one in front"


def _calls(source: str, *names: str) -> bool:
    program = read_program(source)
    return any(name in program.calls or name in program.methods for name in names)


def _has_preload(source: str) -> bool:
    program = read_program(source)
    return "preload" in program.functions | program.members
