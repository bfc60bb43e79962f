"""What came out of a run, as one page that a person enjoys reading."""

from .build import build_report

__all__ = ["build_report"]
