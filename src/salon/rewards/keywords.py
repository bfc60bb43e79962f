"""A classifier of prompts by the words in them: no model, no cost, good enough for a first gate."""

import re
from collections.abc import Mapping, Sequence

from salon.errors import RecipeError
from salon.types import Prompt


class Keywords:
    """The first label one of whose words or phrases stands in the prompt's text, else `default`.

    Args:
        labels: label → words or phrases. Case does not matter; words match whole, so "no" is not in "snow".
        default: the label of all other prompts.

    Raises:
        RecipeError: a label without words.

    Example: {strict: [only, nothing else]} labels "a rose, nothing else" strict.
    """

    version = "1"

    def __init__(self, labels: Mapping[str, Sequence[str]], default: str = "other") -> None:
        for label, words in labels.items():
            if isinstance(words, str) or not words or not all(word.strip() for word in words):
                raise RecipeError(f"keywords: labels.{label} is no list of words. Write [only, without].")
        self._default = default
        self._patterns = {
            label: re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in words), re.IGNORECASE)
            for label, words in labels.items()
        }

    def label(self, prompt: Prompt) -> str:
        """The prompt's label."""
        found = (label for label, pattern in self._patterns.items() if pattern.search(prompt.text))
        return next(found, self._default)
