"""Where a recipe's terms apply: every `when`, and what the classifiers it names say of a prompt."""

from collections.abc import Mapping

from salon.errors import boundary
from salon.types import Classifier, Failure, Prompt

from .recipe import RewardRecipe

CLASSIFIER_FAILED = "classifier_failed"


class Applies:
    """Asks each classifier once per prompt, and only for conditions that name it. What failed is asked again
    next time.
    """

    def __init__(self, recipe: RewardRecipe, classifiers: Mapping[str, Classifier]) -> None:
        self._conditions = {name: term.condition for name, term in recipe.terms.items()}
        self._classifiers = classifiers
        self._known: dict[tuple[str, str, str], str] = {}

    def why_not(self, term: str, prompt: Prompt) -> Failure | None:
        """Why nobody is asked for a term about a prompt: it does not apply, or a classifier failed; else
        None.
        """
        condition = self._conditions[term]
        if condition is None:
            return None
        labels: dict[str, str] = {}
        for name in sorted(condition.labels):
            label = self._label(name, prompt)
            if isinstance(label, Failure):
                return label
            labels[name] = label
        if condition.holds(prompt, labels):
            return None
        shown = "".join(f"; labels.{name} is {label!r}" for name, label in labels.items())
        return Failure("not_applicable", f"not when {condition.text}{shown}", "system", "score")

    def _label(self, name: str, prompt: Prompt) -> str | Failure:
        key = (name, prompt.id, prompt.text)
        if key in self._known:
            return self._known[key]
        with boundary("score") as caught:
            self._known[key] = self._classifiers[name].label(prompt)
        if caught.failure is None:
            return self._known[key]
        cause = f"classifier {name!r}: {caught.failure.code}: {caught.failure.message}"
        return Failure(CLASSIFIER_FAILED, cause, "system", "score")
