"""UnifiedReward 2.0 (arXiv 2503.05236) over a chat server such as vLLM: alignment, coherence, style, 1 to 5.

The question is worded here. Where the model's card words it otherwise, give that as `question`: a model
answers best what it was trained on.
"""

import math
import re
from collections.abc import Mapping
from typing import Any, Literal

from salon.errors import RecipeError
from salon.judges.vlm.chat_judge import criteria_text
from salon.judges.vlm.prompts import digest
from salon.llm.chat_client import ChatClient
from salon.llm.completion import Completion, unreadable, whole
from salon.llm.image_encoder import ImageEncoder
from salon.llm.response_cache import ResponseCache, Row, number_in
from salon.llm.settings import known_settings
from salon.llm.thinking import without_thinking
from salon.scorers.asking import missing, score_each_picture
from salon.types import Failure, Group, Picture, Score

ASPECTS = ("alignment", "coherence", "style")
LOW, HIGH = 1.0, 5.0

QUESTION = """You see a picture that a model made for this request:

{prompt}

Score it from 1 to 5, with decimals, for
- alignment: does it show what the request asks for?
- coherence: is it well formed, without broken or impossible parts?
- style: is it beautiful, whatever it shows?

Answer with these three lines and nothing else:
Alignment Score (1-5): X
Coherence Score (1-5): Y
Style Score (1-5): Z"""


class UnifiedReward:
    """One aspect that the model scores, or the mean of all three.

    Tested against a scripted server; the published weights have not been run here.

    Args:
        model: its name on the server.
        base_url: the server's address, up to /v1.
        aspect: alignment, coherence, style, or mean.
        prompt: what every picture is scored against; None for the prompt's own text.
        question: the words, with {prompt} in them; a text or {file: path}.
        side: pictures are shrunk to so many pixels a side.
        server: how patiently it is asked (see salon.llm.settings).

    Raises:
        RecipeError: a setting is unknown or wrong.
    """

    version = "1"

    def __init__(
        self,
        model: str,
        base_url: str,
        aspect: Literal["mean", "alignment", "coherence", "style"] = "mean",
        prompt: str | None = None,
        question: str | Mapping[str, str] = QUESTION,
        side: int = 1024,
        **server: Any,
    ) -> None:
        known_settings(server, UnifiedReward)
        if aspect not in ("mean", *ASPECTS):
            raise RecipeError(f"aspect: {aspect!r} is none of mean, {', '.join(ASPECTS)}.")
        self._question = criteria_text(question)
        if "{prompt}" not in self._question:
            raise RecipeError("question: there is no {prompt} in it. Write it where the request goes.")
        self._server = ChatClient(model=model, base_url=base_url, **server)
        settings = self._server.settings
        self._kept = ResponseCache.at(settings.cache, settings.asked_at)
        self._shown = ImageEncoder(side)
        self._aspect, self._prompt = aspect, prompt
        told = [settings.temperature, settings.max_tokens, settings.extra, settings.revision]
        self.identity = f"{model}@{digest(self._question, self._shown.name, told)}"

    def score(self, group: Group) -> list[Score]:
        """The aspect per sample, 1 … 5, with all three in the details. An answer that cannot be read is a
        missing score.
        """
        text = group.prompt.text if self._prompt is None else self._prompt
        return score_each_picture(group, lambda picture: self._look(text, picture))

    def _look(self, text: str, picture: Picture) -> Score:
        asked = {"scorer": self.identity, "text": text, "picture": picture.key}
        scores = self._kept.get(asked, lambda: self._ask(text, picture), _scores_in)
        if isinstance(scores, Failure):
            return missing(scores)
        value = math.fsum(scores.values()) / 3 if self._aspect == "mean" else scores[self._aspect]
        reason = ", ".join(f"{name} {score:g}" for name, score in scores.items())
        return Score(value, reason=reason, details=scores)

    def _ask(self, text: str, picture: Picture) -> Row:
        words = {"type": "text", "text": self._question.replace("{prompt}", text)}
        content = [self._shown.part(picture), words]
        return self._server.ask({"messages": [{"role": "user", "content": content}]}, read_scores)


def _scores_in(row: Row) -> dict[str, float]:
    return {name: number_in(row[name], LOW, HIGH) for name in ASPECTS}


def read_scores(completion: Completion) -> dict[str, float]:
    """The three scores of an answer, whatever else it says.

    Raises:
        StageError: malformed_verdict: one is missing, is said twice in two ways, or is not from 1 to 5.
    """
    spoken = without_thinking(whole(completion).text)
    return {name: _one(spoken, name) for name in ASPECTS}


def _one(text: str, name: str) -> float:
    line = rf"^\W*{name}(?: score)?\W*(?:\(1\s*[-–]\s*5\))?\W*?:\W*?(-?\d+(?:\.\d+)?)(?:\s*/\s*5)?[\s*.]*$"
    found = {float(each) for each in re.findall(line, text, re.IGNORECASE | re.MULTILINE)}
    if len(found) != 1:
        raise unreadable(f"{len(found)} scores for {name}: {text[:200]!r}")
    score = found.pop()
    if not LOW <= score <= HIGH:
        raise unreadable(f"{name} scores {score:g}, outside of 1 to 5")
    return score
