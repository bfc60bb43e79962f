"""A vision-language model as judge, over any server that speaks OpenAI's chat completions (vLLM, SGLang, a
paid API).

    judges:
      vlm: {kind: openai, model: Qwen/Qwen3-VL-30B-A3B-Instruct, base_url: "${SALON_JUDGE_URL}", concurrency:
          32}

It compares, answers questions and writes critiques. It is asked about one pair in one order; whoever needs
both orders asks twice (the pairwise scorer does). What it does not answer properly is a failure of the
system, never a loss, a tie or a zero.
"""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from salon import validation
from salon.errors import RecipeError
from salon.judges.inputs_read import READS, Read, checked_reads
from salon.judges.source_image import earlier
from salon.llm.capability_fallback import schema_format
from salon.llm.chat_client import ChatClient
from salon.llm.completion import Completion
from salon.llm.image_encoder import ImageEncoder
from salon.llm.limits import judge_failure
from salon.llm.response_cache import ResponseCache, Row, critique_in, number_in, text_in
from salon.llm.settings import known_settings
from salon.markup import printable
from salon.types import Answer, Critique, Failure, Picture, Prompt, Verdict

from . import prompts
from .answers import parse_answer, parse_answers, parse_critique
from .few_shot import FewShotExamples, GuidesKey, as_text, guides_of, shown_orders
from .verdicts import verdict_of

ASPECTS = ("text_faithfulness", "physical_quality", "text_rendering")
Criteria = str | Mapping[str, str]
Pictures = Sequence[Picture]
"""Those of a question: the one before an edit first, where there is one."""


class OpenAIJudge:
    """Asks a vision-language model. Answers are kept by content: in memory, and on disk for all runs.

    Args:
        model: the model's name on the server.
        base_url: the server's address up to /v1; the provider's own when empty.
        criteria: what to judge by, as text (a rubric), or {file: path}; our own short words when empty.
        first: whether the verdict or the reason is written first.
        before: for edits: the key of a prompt's meta that has the file of the picture which was to be edited.
            It is shown first, whatever is asked; without it there is no answer. Empty for other pictures.
        guides: comparisons that people made, a file (see salon.judges.vlm.few_shot) or {file: …, show: text}:
            shown before each comparison, with their pictures or as text. Questions and critiques go without.
        aspects, low, high: what a critique scores, and on which scale.
        batch: questions per call; with more than one, models tend to give all of them one answer.
        probabilities: ask for log-probabilities, so that a verdict says how sure it is.
        structured: ask the server to keep the answer to a JSON schema.
        side, paper: pictures are shrunk to so many pixels a side, and laid on this colour.
        server: address, patience, limits, price and cache: see salon.llm.settings.ServerSettings.

    Raises:
        RecipeError: a setting is unknown or wrong.
    """

    def __init__(
        self,
        model: str,
        base_url: str = "",
        criteria: Criteria = "",
        first: prompts.First = "verdict",
        aspects: Sequence[str] = ASPECTS,
        low: float = 1.0,
        high: float = 4.0,
        batch: int = 1,
        probabilities: bool = True,
        structured: bool = True,
        side: int = 512,
        paper: str = "#ffffff",
        guides: GuidesKey = "",
        before: str = "",
        **server: Any,
    ) -> None:
        known_settings(server, OpenAIJudge.__init__)
        if first not in ("verdict", "reason"):
            raise RecipeError(f"first: is verdict or reason, not {first!r}")
        if low >= high or batch < 1 or side < 8:
            raise RecipeError("low must be below high, batch at least 1, and side at least 8.")
        self.server = ChatClient(model=model, base_url=base_url, **server)
        self._kept = ResponseCache.at(self.server.settings.cache, self.server.settings.asked_at)
        self._first: prompts.First = first
        self._batch = batch
        self._aspects, self._low, self._high = tuple(aspects), low, high
        self._probabilities, self._structured = probabilities, structured
        self._shown = ImageEncoder(side, paper)
        self._guides = guides_of(guides)
        self._before = before
        self._set_criteria(criteria)

    @property
    def batch(self) -> int:
        """Questions per call."""
        return self._batch

    def with_criteria(self, criteria: Criteria) -> "OpenAIJudge":
        """The same judge on the same server, limits and cache included, by other criteria."""
        other = copy.copy(self)
        other._set_criteria(criteria)
        return other

    @property
    def before(self) -> str:
        """The key of a prompt's meta with the file of the picture before; empty where it judges no edits."""
        return self._before

    @property
    def of_edits(self) -> bool:
        """Whether it judges edits."""
        return bool(self._before)

    @property
    def reads(self) -> frozenset[Read]:
        """What it is given in words, and the picture before where it judges edits. Whether the model behind
        the address reads it, `declared` and the start-up probe say.
        """
        return frozenset(READS if self._before else [each for each in READS if each != "source_image"])

    def declared(self) -> frozenset[Read] | None:
        """What the judge behind the address says itself that it reads, where it is one of ours; else None.
        One request, that costs no tokens.
        """
        return self.behind()[1]

    def behind(self) -> tuple[str, frozenset[Read] | None]:
        """Who is behind the address, where it is one of our servers, by its own identity, and what that
        reads; empty and None elsewhere. One request, that costs no tokens.
        """
        rows = [row for row in self.server.models() if "reads" in row]
        own = [row for row in rows if row.get("id") == self.server.settings.model] or rows
        if not own:
            return "", None
        try:
            reads = checked_reads(own[0]["reads"], "the server")
        except (RecipeError, TypeError):
            return "", None
        return printable(str(own[0].get("root") or own[0].get("id", "")), 200), reads

    @property
    def criteria(self) -> str:
        """What it was told to judge by; empty for our own short words."""
        return self._criteria

    @property
    def guides(self) -> FewShotExamples:
        """The comparisons of people that it is shown."""
        return self._guides

    def with_guides(self, guides: FewShotExamples) -> "OpenAIJudge":
        """The same judge by the same criteria, shown other comparisons of people, or none."""
        other = copy.copy(self)
        other._guides = guides
        other._set_criteria(self._criteria)
        return other

    def compare(self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]]) -> list[Verdict | Failure]:
        """One verdict per pair, in order; pairs are asked about at once, as far as `concurrency` allows."""
        before = earlier(prompt, self._before)
        if isinstance(before, Failure):
            return [before] * len(pairs)
        return self.server.ask_all(pairs, lambda pair: self._compare(prompt, *pair, before))

    def compare_edits(
        self, prompt: Prompt, pairs: Sequence[tuple[Picture, Picture]], before: Picture
    ) -> list[Verdict | Failure]:
        """The same for edits, with the picture that was to be edited at hand."""
        return self.server.ask_all(pairs, lambda pair: self._compare(prompt, *pair, [before]))

    def answer(self, prompt: Prompt, picture: Picture, questions: Sequence[str]) -> list[Answer | Failure]:
        """One answer per question, in order: one question a call, or `batch` of them."""
        before = earlier(prompt, self._before)
        if isinstance(before, Failure):
            return [before] * len(questions)
        return self._answer_all(prompt, [*before, picture], questions)

    def answer_edit(
        self, prompt: Prompt, picture: Picture, questions: Sequence[str], before: Picture
    ) -> list[Answer | Failure]:
        """The same about an edit, with the picture that was to be edited at hand."""
        return self._answer_all(prompt, [before, picture], questions)

    def _answer_all(
        self, prompt: Prompt, pictures: Pictures, questions: Sequence[str]
    ) -> list[Answer | Failure]:
        different = list(dict.fromkeys(questions))
        if self._batch == 1:
            found = self.server.ask_all(different, lambda question: self._answer(prompt, pictures, question))
        else:
            parts = [different[at : at + self._batch] for at in range(0, len(different), self._batch)]
            several = self.server.ask_all(parts, lambda part: self._answers(prompt, pictures, part))
            found = [answer for part in several for answer in part]
        by_question = dict(zip(different, found, strict=True))
        return [by_question[question] for question in questions]

    def critique(self, prompt: Prompt, picture: Picture) -> Critique | Failure:
        """A score per aspect, after a written critique."""
        before = earlier(prompt, self._before)
        return before if isinstance(before, Failure) else self._critique(prompt, [*before, picture])

    def critique_edit(self, prompt: Prompt, picture: Picture, before: Picture) -> Critique | Failure:
        """The same of an edit, with the picture that was to be edited at hand."""
        return self._critique(prompt, [before, picture])

    def _critique(self, prompt: Prompt, pictures: Pictures) -> Critique | Failure:
        question = self._question("critique", prompt, pictures)
        return self._kept.get(question, partial(self._ask_critique, prompt, pictures), self._critique_in)

    def _critique_in(self, row: Row) -> Critique:
        return critique_in(row, self._aspects, self._low, self._high)

    def _compare(self, prompt: Prompt, a: Picture, b: Picture, before: Pictures) -> Verdict | Failure:
        if a.key == b.key:
            return Verdict(p_a=0.5, judge=self.identity, reason="the same picture twice")
        question = self._question("compare", prompt, [*before, a, b])
        return self._kept.get(question, partial(self._ask_verdict, prompt, a, b, before), self._verdict_in)

    def _verdict_in(self, row: Row) -> Verdict:
        said = row.get("said")
        if said not in ("a", "b", "tie", None):
            raise ValueError(f"the winner in words is {said!r}")
        return Verdict(number_in(row["p_a"], 0.0, 1.0), self.identity, text_in(row["reason"]), said)

    def _ask_verdict(self, prompt: Prompt, a: Picture, b: Picture, before: Pictures) -> Row:
        content = self._pair(f"The request was: {prompt.text}", a, b, before)
        told = prompts.comparing(self._criteria, self._first, as_text(self._guides), bool(before))
        body = self._body(told, content, prompts.comparison_schema(self._first), self._examples())
        if self._probabilities:
            body |= {"logprobs": True, "top_logprobs": 10}
        p_a, reason, said = self.server.ask(body, verdict_of)
        return {"p_a": p_a, "reason": reason} | ({"said": said} if said else {})

    def _pair(self, request: str, a: Picture, b: Picture, before: Pictures = ()) -> list[dict[str, Any]]:
        # A caption before each picture: some servers' templates move pictures, and words keep their place.
        return [
            *self._opening(request, before, "Picture A:"),
            self._shown.part(a),
            _said("Picture B:"),
            self._shown.part(b),
            _said("Which is better? Answer with the JSON object."),
        ]

    def _examples(self) -> list[dict[str, Any]]:
        """The guides as turns: a comparison as it is asked, and what people said as it is to be answered."""
        turns: list[dict[str, Any]] = []
        if self._guides.show == "pictures":
            for number, (guide, a, b, winner) in enumerate(shown_orders(self._guides.all), 1):
                asked = self._pair(f"Example {number}. The request was: {guide.prompt}", a, b)
                said = prompts.example_verdict(self._first, winner, guide.reason)
                turns += [{"role": "user", "content": asked}, {"role": "assistant", "content": said}]
        return turns

    def _answer(self, prompt: Prompt, pictures: Pictures, question: str) -> Answer | Failure:
        return self._kept.get(
            self._question("answer", prompt, pictures, question=question),
            partial(self._ask_answer, prompt, pictures, question),
            lambda row: _answer_in(row["yes"], row["reason"]),
        )

    def _ask_answer(self, prompt: Prompt, pictures: Pictures, question: str) -> Row:
        content = self._about(prompt, pictures, f"Question: {question}")
        told = prompts.answering(self._first, False, len(pictures) > 1)
        body = self._body(told, content, prompts.answer_schema(self._first, False))
        return asdict(self.server.ask(body, lambda completion: parse_answer(completion.text)))

    def _answers(
        self, prompt: Prompt, pictures: Pictures, questions: Sequence[str]
    ) -> list[Answer | Failure]:
        """Several questions in one call; what an answer leaves out is asked again, `attempts` times at most.

        An answer belongs to the questions it was asked with, since they colour it: it is kept with them.
        """
        found: dict[str, Answer | Failure] = {}
        for _ in range(self.server.settings.attempts):
            asked = [question for question in questions if not isinstance(found.get(question), Answer)]
            if not asked:
                break
            row = self._kept.get(
                self._question("answers", prompt, pictures, questions=asked),
                partial(self._ask_answers, prompt, pictures, asked),
                _answers_in,
            )
            if isinstance(row, Failure):
                found |= dict.fromkeys(asked, row)
                break
            left_out = judge_failure("answer_missing", "the judge left the question out")
            found |= {q: row.get(q, left_out) for q in asked}
        return [found[question] for question in questions]

    def _ask_answers(self, prompt: Prompt, pictures: Pictures, questions: Sequence[str]) -> Row:
        listed = "\n".join(f"{number}. {question}" for number, question in enumerate(questions, 1))
        content = self._about(prompt, pictures, f"Questions:\n{listed}")
        told = prompts.answering(self._first, True, len(pictures) > 1)
        schema = prompts.answer_schema(self._first, True)
        ids = range(1, len(questions) + 1)
        read = self.server.ask(
            self._body(told, content, schema), lambda completion: parse_answers(completion.text, ids)
        )
        return {questions[number - 1]: [answer.yes, answer.reason] for number, answer in read.items()}

    def _ask_critique(self, prompt: Prompt, pictures: Pictures) -> Row:
        scale = (self._aspects, self._low, self._high)
        told = prompts.criticising(self._criteria, *scale, edit=len(pictures) > 1)
        content = self._about(prompt, pictures, "Write the critique, then score it.")

        def read(completion: Completion) -> Critique:
            return parse_critique(completion.text, self._aspects, self._low, self._high)

        body = self._body(told, content, prompts.critique_schema(self._aspects))
        return asdict(self.server.ask(body, read))

    def _about(self, prompt: Prompt, pictures: Pictures, task: str) -> list[dict[str, Any]]:
        *before, picture = pictures
        opening = self._opening(f"The request was: {prompt.text}", before, "The picture:")
        return [*opening, self._shown.part(picture), _said(f"{task}\nAnswer with the JSON object.")]

    def _opening(self, request: str, before: Pictures, caption: str) -> list[dict[str, Any]]:
        """The request, the picture before an edit where there is one, and the next picture's caption."""
        if not before:
            return [_said(f"{request}\n\n{caption}")]
        return [_said(f"{request}\n\nThe picture before:"), self._shown.part(before[0]), _said(caption)]

    def _body(
        self, told: str, content: Any, schema: Mapping[str, Any], before: Sequence[Any] = ()
    ) -> dict[str, Any]:
        messages = [{"role": "system", "content": told}, *before, {"role": "user", "content": content}]
        form = {"response_format": schema_format("answer", schema)} if self._structured else {}
        return {"messages": messages, **form}

    def _question(self, kind: str, prompt: Prompt, pictures: Pictures, **more: Any) -> dict[str, Any]:
        keys = [picture.key for picture in pictures]
        return {"judge": self.identity, "kind": kind, "prompt": prompt.text, "pictures": keys, **more}

    def _set_criteria(self, criteria: Criteria) -> None:
        self._criteria = criteria_text(criteria)
        settings = self.server.settings
        told = [
            prompts.comparing(self._criteria, self._first),
            prompts.answering(self._first, self._batch > 1),
            prompts.criticising(self._criteria, self._aspects, self._low, self._high),
            [self._batch, self._probabilities, self._structured, self._shown.name],
            [settings.temperature, settings.max_tokens, settings.extra, settings.revision],
        ]
        # Without guides it stays the judge that it was, with what was kept of it.
        told += [self._guides.told] if self._guides else []
        told += [prompts.EDIT] if self._before else []
        self.identity = f"{settings.model}@{prompts.digest(*told)}"


def anthropic_judge(model: str, **options: Any) -> OpenAIJudge:
    """The same judge over Anthropic's Messages."""
    return OpenAIJudge(model, protocol="anthropic", **options)


def gemini_judge(model: str, **options: Any) -> OpenAIJudge:
    """The same judge over Gemini's generateContent."""
    return OpenAIJudge(model, protocol="gemini", **options)


def criteria_text(criteria: Criteria) -> str:
    """Criteria as text; {file: path} is read.

    Raises:
        RecipeError: there is no such file, or another key than `file`.
    """
    if isinstance(criteria, str):
        return criteria.strip()
    if set(criteria) != {"file"}:
        raise RecipeError("criteria: write a text, or {file: path}.")
    data = validation.read_bytes(Path(criteria["file"]), "It is named in `criteria`.")
    return data.decode("utf-8", "replace").strip()


def _answer_in(yes: Any, reason: Any) -> Answer:
    if not (yes is None or isinstance(yes, bool)):
        raise TypeError(f"{yes!r} is neither yes nor no")
    return Answer(yes, text_in(reason))


def _answers_in(row: Row) -> dict[str, Answer]:
    return {question: _answer_in(yes, reason) for question, (yes, reason) in row.items()}


def _said(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
