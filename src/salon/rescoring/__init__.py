"""A finished run under another reward: what it would have rewarded, without sampling or rendering again."""

from .rescore import Rescored, rescore

__all__ = ["Rescored", "rescore"]
