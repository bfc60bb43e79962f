"""`when`: what it means, what it refuses, and that nothing in it ever runs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from salon.errors import RecipeError
from salon.rewards.condition import parse_condition
from salon.rewards.keywords import Keywords
from salon.rewards.recipe import load_reward
from salon.types import Prompt

ROSE = Prompt(
    "peach-rose",
    "draw a peach rose, nothing else",
    subject="rose",
    tags=("flower", "photo"),
    meta={"style": "watercolour", "petals": "5", "two words": "x"},
)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("'photo' in prompt.tags", True),
        ("'photo' not in prompt.tags", False),
        ("prompt.subject == 'rose'", True),
        ("prompt.subject != 'rose'", False),
        ("prompt.subject in ['rose', 'iris']", True),
        ("prompt.subject not in ('iris', 'lily')", True),
        ("prompt.id == 'peach-rose'", True),
        ("'peach' in prompt.text", True),
        ("prompt.meta.style == 'watercolour'", True),
        ("prompt.meta['two words'] == \"x\"", True),
        ("prompt.meta.absent == ''", True),
        ("prompt.meta.absent", False),
        ("'style' in prompt.meta", True),
        ("prompt.meta.petals == 5", True),
        ("prompt.meta.petals in [4, 5.0]", True),
        ("prompt.meta.style == 5", False),
        ("prompt.tags", True),
        ("not prompt.tags", False),
        ("labels.intent == 'strict'", True),
        ("labels['intent'] in ['open']", False),
        ("'bird' in prompt.tags or prompt.subject == 'rose' and not prompt.meta.absent", True),
        ("('bird' in prompt.tags or prompt.subject == 'rose') and prompt.meta.absent == 'y'", False),
    ],
)
def test_what_it_means(condition: str, holds: bool) -> None:
    assert parse_condition(condition).holds(ROSE, {"intent": "strict"}) is holds


def test_it_names_the_labels_it_asks() -> None:
    found = parse_condition("labels.intent == 'a' or labels.kind == 'b' and prompt.tags")
    assert found.labels == {"intent", "kind"}
    assert parse_condition("prompt.tags").labels == set()


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("prompt.tag == 'x'", r"no 'tag'\. Did you mean 'tags'"),
        ("strict", r"'strict' is no part of a prompt\. Put words in quotes"),
        ("labels.intent == strict", "'strict' is no part"),
        (
            "'photo' or 'x' in prompt.tags",
            r"'photo' alone is the same for every prompt.*'photo' in prompt.tags",
        ),
        ("['a']", "alone is the same"),
        ("prompt.tags == 'photo'", r"not one text\. Write: 'word' in prompt.tags"),
        ("prompt.meta == 'photo'", "not one text"),
        ("prompt.subject in ['rose', prompt.id]", "a list holds texts and numbers"),
        ("prompt.subject in []", "at least one"),
        ("prompt.tags in 'photo'", "`in` finds a text"),
        ("'5' in 5", "`in` finds a text"),
        ("5 in prompt.tags", "in quotes"),
        ("prompt.meta.petals < 6", "only ==, !=, in and not in"),
        ("'a' == prompt.id == 'b'", "Write two comparisons"),
        ("prompt.tags is None", "only ==, !=, in and not in"),
        ("prompt.id == None", "only texts in quotes and numbers"),
        ("prompt.id == True", "only texts in quotes and numbers"),
        ("prompt['id'] == 'x'", "is not known"),
        ("prompt.meta[0] == 'x'", "is not known"),
        ("prompt.text.upper() == 'X'", "is not allowed"),
        ("__import__('os').system('true')", "is not allowed"),
        ("prompt.__class__ == 'x'", "no '__class__'"),
        ("(lambda: 1)()", "is not allowed"),
        ("[x for x in 'a']", "is not allowed"),
        ("f'{prompt.id}' == 'x'", "is not allowed"),
        ("prompt", "is no part of a prompt"),
        ("prompt.tags and", r"not a condition .*Write for example"),
        ("x = 1", "not a condition"),
        ("'a\\d' in prompt.text", "not a condition"),
        ("", "not a condition"),
        ("\0", "not a condition"),
        ("(" * 400, "not a condition"),
        ("prompt.tags or " * 50 + "prompt.tags", "at most 500 characters"),
    ],
)
def test_what_it_refuses(condition: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_condition(condition)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="prompt.tagsmeta[]'\"()=!<>notinandor lambda,:{}0", max_size=40))
def test_whatever_is_written_it_is_read_or_refused(condition: str) -> None:
    try:
        found = parse_condition(condition)
    except ValueError:
        return
    assert found.holds(ROSE, dict.fromkeys(found.labels, "x")) in (True, False)


@pytest.mark.parametrize("condition", ["-" * 499 + "1", "~" * 499 + "1", "prompt" + ".a" * 245])
def test_deep_nesting_is_refused(condition: str) -> None:
    with pytest.raises(ValueError, match="prompt"):
        parse_condition(condition)


def test_a_recipe_names_the_key_and_the_missing_classifier() -> None:
    term = {"scorer": "length", "weight": 1.0}
    with pytest.raises(RecipeError, match=r"terms\.a\.when: a prompt has no 'tag'"):
        load_reward({"terms": {"a": {**term, "when": "prompt.tag"}}})
    asks = {"terms": {"a": {**term, "when": "labels.intnt == 'x'"}}}
    with pytest.raises(
        RecipeError, match=r"terms\.a\.when: labels\.intnt is not in the section `classifiers`"
    ):
        load_reward(asks)
    with pytest.raises(RecipeError, match="Did you mean 'intent'"):
        load_reward({**asks, "classifiers": {"intent": {"kind": "keywords", "labels": {"x": ["y"]}}}})


def test_keywords_match_whole_words_in_the_order_of_the_labels() -> None:
    made = Keywords({"strict": ["no", "nothing else"], "photo": ["Photo"]}, default="open")
    texts = {
        "a rose, Nothing else": "strict",
        "a rose in the snow": "open",
        "a photo with no frame": "strict",
        "a photo.": "photo",
        "photos": "open",
    }
    assert {text: made.label(Prompt("p", text)) for text in texts} == texts
    for words in ("no", [], [" "]):
        with pytest.raises(RecipeError, match=r"labels\.strict is no list of words"):
            Keywords({"strict": words})
