"""The report as one HTML page."""

from salon.diagnose.diagnosis import Diagnosis


def page(found: Diagnosis) -> str:
    return ""
