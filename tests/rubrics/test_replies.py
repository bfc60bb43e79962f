"""What an author of rubrics wrote, as one object of a form."""

import json
from typing import Any

import pytest
from pydantic import BaseModel

from salon.errors import StageError
from salon.rubrics.generation.structure import Structure
from salon.rubrics.replies import read_form


class Written(BaseModel):
    criteria: list[str]
    more: dict[str, str] = {}


THEME = {"name": "Colour", "level": "coarse", "tips": ["The red is deep."]}


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (Written, {"criteria": ["a", "b\ud800"]}),
        (Written, {"criteria": ["a"], "more": {"\udc00": "b"}}),
        (Structure, {"themes": [THEME | {"name": "Colour\udfff"}]}),
        (Structure, {"themes": [THEME], "summary": "\ud83d"}),
    ],
)
def test_half_a_character_is_sent_back_to_the_author_since_no_file_could_hold_it(
    form: type[BaseModel], said: dict[str, Any]
) -> None:
    with pytest.raises(StageError, match=r"malformed_reply: .*surrogate pair"):
        read_form(json.dumps(said), form)


def test_two_halves_of_a_pair_are_their_character() -> None:
    assert read_form('{"criteria": ["\\ud83d\\ude00"]}', Written) == Written(criteria=["\U0001f600"])
