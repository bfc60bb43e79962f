"""Human exemplars that show an author what a good reason looks like: prompt, both pictures, and why. Their
file's form is told in salon.judges.vlm.few_shot.
"""

from pathlib import Path

from salon.judges.vlm.few_shot import read_guides
from salon.rubrics.asking import Message


def load_guides(path: str | Path) -> tuple[Message, ...]:
    """The exemplars as turns to put before a question.

    Raises:
        RecipeError: names the file, the row and the key.
    """
    messages: list[Message] = []
    for guide in read_guides(path):
        asked = (
            f"An example. The request was: {guide.prompt}\n\nThis picture was preferred:",
            guide.preferred,
            "This one was liked less:",
            guide.dispreferred,
        )
        messages += [
            Message("user", asked),
            Message("assistant", (f"The reason that was given: {guide.reason}",)),
        ]
    return tuple(messages)
