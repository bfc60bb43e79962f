"""RationalRewards' form: a written critique first, then scores from 1 to 4 per aspect, as Markdown headings.

    judges:
      critic: {kind: rational, model: TIGER-Lab/RationalRewards-8B-T2I, base_url: "${SALON_JUDGE_URL}"}
      editor: {kind: rational, model: TIGER-Lab/RationalRewards-8B-Edit, task: edit, base_url: …}

Any vision-language model can be asked for it. What was tested are answers in the form that the published
models' templates ask for, and a scripted server; the published weights have not been run here. The templates
are worded here: where a model was trained on other words, give those as `system`, `user`, `pair_system` and
`pair_user`. An answer is read strictly: one without a score for each aspect is a failed judgement, never a 0.
A pair is decided only by aspects that apply to both pictures.

Source: RationalRewards, arXiv 2604.11626.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from salon.errors import RecipeError, StageError
from salon.judges.inputs_read import Read
from salon.judges.source_image import SOURCE, earlier
from salon.llm.chat_client import ChatClient
from salon.llm.completion import Completion, whole
from salon.llm.image_encoder import ImageEncoder
from salon.llm.response_cache import ResponseCache, Row, critique_in, number_in, text_in
from salon.llm.settings import known_settings
from salon.types import Critique, Failure, Picture, Prompt, Verdict

from .chat_judge import criteria_text
from .prompts import digest
from .rational_form import HIGH, LOW, TITLES, Scores, Task, decide, parse_pairwise, parse_pointwise
from .rational_prompts import ROLE, checked, form, messages

Template = str | Mapping[str, str]
_T2I, _EDIT = "t2i", "edit"


class RationalJudge:
    """Asks for critiques in RationalRewards' form.

    Args:
        model, base_url: the model's name, and the server's address up to /v1.
        task: t2i, or edit: then there is a fourth aspect, and the picture that was to be edited is shown too.
        before: for edits: the key of a prompt's meta that has that picture's file.
        system, user: what is told for one picture, each a text or {file: path}; our own words where it is
            None, no system message where `system` is empty. In `user`, {request} is the prompt's text and
            <image> each picture, the one before the edit first.
        pair_system, pair_user: the same for two pictures.
        max_tokens: of an answer; critiques are long.
        side, paper: pictures are shrunk to so many pixels a side, and laid on this colour.
        server: see salon.llm.settings.ServerSettings.

    Raises:
        RecipeError: a setting is unknown or wrong.
    """

    def __init__(
        self,
        model: str,
        base_url: str = "",
        task: Task = "t2i",
        before: str = SOURCE,
        system: Template | None = None,
        user: Template | None = None,
        pair_system: Template | None = None,
        pair_user: Template | None = None,
        max_tokens: int = 3072,
        side: int = 1024,
        paper: str = "#ffffff",
        **server: Any,
    ) -> None:
        known_settings(server, RationalJudge.__init__)
        if task not in TITLES:
            raise RecipeError(f"task: is {_T2I} or {_EDIT}, not {task!r}")
        self.server = ChatClient(model=model, base_url=base_url, max_tokens=max_tokens, **server)
        settings = self.server.settings
        self._kept = ResponseCache.at(settings.cache, settings.asked_at)
        self._shown = ImageEncoder(side, paper)
        self._task: Task = task
        self._before = before if task == _EDIT else ""
        self._told = {
            pair: (
                ROLE[task] if system_text is None else criteria_text(system_text),
                form(task, pair) if text is None else checked(criteria_text(text), key, task, pair),
            )
            for pair, system_text, text, key in (
                (False, system, user, "user"),
                (True, pair_system, pair_user, "pair_user"),
            )
        }
        told = [task, *self._told.values()]
        options = [settings.temperature, settings.max_tokens, settings.extra, settings.revision]
        self.identity = f"{settings.model}@{digest('rational', told, options, self._shown.name)}"

    @property
    def before(self) -> str:
        """The key of a prompt's meta with the file of the picture before; empty where it judges no edits."""
        return self._before

    @property
    def reads(self) -> frozenset[Read]:
        """The prompt; the picture before where it judges edits. Its form has no place for criteria."""
        return frozenset(("prompt", "source_image") if self.of_edits else ("prompt",))

    @property
    def of_edits(self) -> bool:
        """Whether it judges edits."""
        return self._task == _EDIT

    def critique(self, prompt: Prompt, picture: Picture) -> Critique | Failure:
        """A score per aspect, None where it does not apply, after a written critique. For an edit, the prompt
        names the picture before; without it there is none.
        """
        before = earlier(prompt, self._before)
        return before if isinstance(before, Failure) else self._critique(prompt, picture, before)

    def critique_edit(self, prompt: Prompt, picture: Picture, before: Picture) -> Critique | Failure:
        """The same, with the picture that was to be edited at hand."""
        return self._critique(prompt, picture, [before])

    def compare(self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]]) -> list[Verdict | Failure]:
        """One verdict per pair, by the mean of the aspects that apply to both pictures."""
        before = earlier(prompt, self._before)
        if isinstance(before, Failure):
            return [before] * len(pairs)
        return self.server.ask_all(pairs, lambda pair: self._compare(prompt, *pair, before))

    def compare_edits(
        self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]], before: Picture
    ) -> list[Verdict | Failure]:
        """The same, with the picture that was to be edited at hand."""
        return self.server.ask_all(pairs, lambda pair: self._compare(prompt, *pair, [before]))

    def _critique(self, prompt: Prompt, picture: Picture, before: list[Picture]) -> Critique | Failure:
        pictures = [*before, picture]
        return self._kept.get(
            self._question("rational", prompt, pictures),
            lambda: asdict(self.server.ask(self._body(False, prompt, pictures), self._read_one)),
            self._critique_in,
        )

    def _compare(self, prompt: Prompt, a: Picture, b: Picture, before: list[Picture]) -> Verdict | Failure:
        if a.key == b.key:
            return Verdict(p_a=0.5, judge=self.identity, reason="the same picture twice")
        pictures = [*before, a, b]
        return self._kept.get(
            self._question("rational pair", prompt, pictures),
            lambda: self.server.ask(self._body(True, prompt, pictures), self._read_pair),
            self._verdict_in,
        )

    def _critique_in(self, row: Row) -> Critique:
        return critique_in(row, TITLES[self._task], LOW, HIGH)

    def _verdict_in(self, row: Row) -> Verdict:
        p_a = decide(_scores_in(row["a"]), _scores_in(row["b"]))
        if isinstance(p_a, Failure):
            raise ValueError(p_a.message)
        return Verdict(p_a, self.identity, text_in(row["text"]))

    def _read_one(self, completion: Completion) -> Critique:
        return parse_pointwise(whole(completion).text, self._task)

    def _read_pair(self, completion: Completion) -> Row:
        a, b, text = parse_pairwise(whole(completion).text, self._task)
        if isinstance(found := decide(a, b), Failure):
            raise StageError(found)
        return {"a": a, "b": b, "text": text}

    def _body(self, pair: bool, prompt: Prompt, pictures: list[Picture]) -> dict[str, Any]:
        return messages(*self._told[pair], prompt.text, pictures, self._shown)

    def _question(self, kind: str, prompt: Prompt, pictures: Sequence[Picture]) -> dict[str, Any]:
        keys = [picture.key for picture in pictures]
        return {"judge": self.identity, "kind": kind, "prompt": prompt.text, "pictures": keys}


def _scores_in(row: Row) -> Scores:
    return {
        aspect: None if score is None else number_in(score, LOW, HIGH) for aspect, score in dict(row).items()
    }
