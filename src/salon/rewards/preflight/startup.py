"""The check before a run spends anything: a good picture must beat a bad one, and every term must score.

Which pictures are known to be good, the first that there is:

    check: {good: file}       the recipe's own, against `bad` or blank paper
    a pool in a term          a loved picture of it, against blank paper
    the run paints p5.brush   a loved picture of the built-in pool, against blank paper
    nothing                   no order is asked for; every term must score, and every judge is put to the test

`check: false` in the reward skips it.
"""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from PIL import Image

from salon.errors import RecipeError
from salon.llm.response_cache import asked_afresh
from salon.media import open_medium
from salon.media.render_samples import develop
from salon.pool.references import Pool
from salon.raster import encode_png, sniff, to_picture
from salon.rewards.engine import RewardEngine
from salon.rewards.recipe import KnownPictures
from salon.types import Group, Medium, Picture, Prompt, Sample
from salon.validation import read_bytes

from .checks import (
    Preflight,
    asked_of_judges,
    inspect_reward,
    known_pair,
    pool_of,
    probe_judges,
    refuse,
    unscored,
)

FALLBACK_POOL = "flowers"
FALLBACK_MEDIUM = "p5.brush"
MOST_PROMPTS = 20
"""Among so many prompts of the run one is looked for that a term applies to: a classifier may cost a call."""
SPECIMENS: Mapping[str, str] = {
    "svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256"><rect width="256" height="256" '
    'fill="#fdfaf3"/><path d="M126 130h5v110h-5z" fill="#3f7a3a"/><g fill="#d9603f"><circle cx="128" cy="84" '
    'r="30"/><circle cx="92" cy="112" r="30"/><circle cx="164" cy="112" r="30"/><circle cx="106" cy="150" '
    'r="30"/><circle cx="150" cy="150" r="30"/></g><circle cx="128" cy="120" r="18" fill="#f7c948"/></svg>',
    "fake": "a tomato flower",
}
"""A source for each medium that needs no browser: it renders, though nobody said that it is good."""
_MEDIA = {".js": "p5.brush", ".svg": "svg"}
_CHECK = "reward.check"


@dataclass(frozen=True, slots=True)
class Domain:
    """What a run paints: its prompts, and the medium that it paints in."""

    prompts: Sequence[Prompt]
    medium: Medium


def check_reward(engine: RewardEngine, domain: Domain | None = None) -> Preflight | None:
    """The start-up check of a run; None when no picture is known to be good, or the recipe skips it.

    Nothing is answered from what was kept: a check that memory passes tests nothing. Terms that the known
    pictures' prompt does not concern are tried on the first of the run's prompts that
    they apply to.

    Raises:
        RecipeError: names each failing term, its cause and the remedy.
    """
    if engine.recipe.check is False:
        return None
    try:
        with asked_afresh():
            return _checked(engine, domain)
    finally:
        engine.bill()  # The first step does not pay for it.


def _checked(engine: RewardEngine, domain: Domain | None) -> Preflight | None:
    named = own_pair(engine, domain)
    own = named or _of_pool(engine)
    paints = domain is not None and domain.medium.name == FALLBACK_MEDIUM
    if own is None and not paints:
        return _without_order(engine, domain)
    pair = own or known_pair(engine, Pool.load(FALLBACK_POOL))
    found = inspect_reward(engine, *pair, strictly=own is not None)
    if found.silent and named is None and domain is not None:
        # A scorer may need what a pool's prompt does not have: the run's own prompts decide.
        return _without_order(engine, domain)
    problems = [*found.problems]
    if problems and own is None:
        problems.append(
            f"(The known-good picture is a flower of the pool {FALLBACK_POOL}. If it is none for your reward,"
            " name one: `check: {good: file}` in the reward; `check: false` skips the check.)"
        )
    elsewhere = [value.term for value in found.good.terms if value.status == "not_applicable"]
    refuse([*problems, *(_tried(engine, domain, elsewhere) if domain else [])])
    return found


def _without_order(engine: RewardEngine, domain: Domain | None) -> None:
    """Every judge is put to the test, and every term must score."""
    refuse([*_probed(engine), *(_tried(engine, domain, list(engine.recipe.terms)) if domain else [])])


def _of_pool(engine: RewardEngine) -> tuple[Sample, Sample] | None:
    pool = pool_of(engine)
    return known_pair(engine, pool) if pool else None


def _probed(engine: RewardEngine) -> list[str]:
    """The judges alone, with pictures of the built-in pool."""
    if not asked_of_judges(engine):
        return []
    return probe_judges(engine, *known_pair(engine, Pool.load(FALLBACK_POOL)))


# ---- the recipe's own pictures ---------------------------------------------------------------------------


def own_pair(engine: RewardEngine, domain: Domain | None = None) -> tuple[Sample, Sample] | None:
    """The pictures that the recipe's `check` names, rendered where they are sources; None where it names
    none.

    Raises:
        RecipeError: a file is not there, or is no picture and does not render.
    """
    known = engine.recipe.check
    if not isinstance(known, KnownPictures):
        return None
    prompt = _prompt(known.prompt, domain.prompts if domain else ())
    good = _read(known.good, "good", prompt, domain)
    if known.bad is not None:
        return good, _read(known.bad, "bad", prompt, domain)
    return good, blank_beside(good)


def blank_beside(good: Sample) -> Sample:
    """The same answer, with blank paper of the same size for a picture."""
    assert good.picture is not None
    paper = Image.new("RGB", (good.picture.width, good.picture.height), "white")
    return replace(good, id="check-blank", picture=Picture.from_png(encode_png(paper)))


def _prompt(text: str, prompts: Sequence[Prompt]) -> Prompt:
    """The run's prompt with this text or id (the first one, for no text), or a prompt of its own."""
    for prompt in prompts:
        if not text or text in (prompt.id, prompt.text):
            return prompt
    return Prompt("check", text)


def _read(file: str, which: str, prompt: Prompt, domain: Domain | None) -> Sample:
    where = f"{_CHECK}.{which}"
    data = read_bytes(file, f"It is {where}, relative to where you are.")
    draft = Sample(f"check-{which}", prompt, "")
    if _is_picture(data):
        try:
            return replace(draft, picture=to_picture(data))
        except ValueError as error:
            raise RecipeError(f"{where}: {file}: {error}") from error
    source = data.decode("utf-8", "replace")
    # Four letters to a token, about: gates on length look at it.
    draft = replace(draft, reply=source, tokens=max(1, len(source) // 4))
    made = _rendered(draft, file, where, domain)
    if made.picture is None or (made.failure and which == "good"):
        why = f"{made.failure.code}: {made.failure.message}" if made.failure else "no picture"
        raise RecipeError(f"{where}: {file} does not render ({why}). Name a picture, or a source that does.")
    return replace(made, failure=None)


def _rendered(draft: Sample, file: str, where: str, domain: Domain | None) -> Sample:
    if domain is not None:
        return develop(domain.medium, [draft])[0]
    name = _MEDIA.get(Path(file).suffix.lower())
    if name is None:
        raise RecipeError(f"{where}: {file} is no PNG, JPEG or WebP, and no source ({', '.join(_MEDIA)}).")
    with closing(open_medium(name)) as medium:
        return develop(medium, [draft])[0]


def _is_picture(data: bytes) -> bool:
    try:
        return bool(sniff(data))
    except ValueError:
        return False


# ---- terms on the run's own prompts ----------------------------------------------------------------------


def _tried(engine: RewardEngine, domain: Domain, names: Sequence[str]) -> list[str]:
    """What is wrong with terms that are tried on their own, whatever gates say, on the first of the run's
    prompts that each applies to. How they score does not matter: the pictures are not known to be good.
    """
    wanted = [name for name in names if engine.recipe.terms[name].decides]
    prompts = {name: _first(engine, name, domain.prompts) for name in wanted}
    groups = _groups(domain, {name: prompt for name, prompt in prompts.items() if prompt is not None})
    scores = engine.ask_alone(groups)
    return [
        problem
        for name, found in scores.items()
        if found[0].failure and found[0].failure.fault == "system"
        if (problem := unscored(engine, name, found[0], f"a picture for {groups[name].prompt.text!r}"))
    ]


def _groups(domain: Domain, prompts: Mapping[str, Prompt]) -> dict[str, Group]:
    """A painted picture and blank paper for each prompt, as of the first step of a training."""
    if not prompts:
        return {}
    specimen = _specimen(domain)
    pair = specimen, blank_beside(specimen)
    return {
        name: Group(prompt, tuple(replace(sample, prompt=prompt) for sample in pair), step=1)
        for name, prompt in prompts.items()
    }


def _first(engine: RewardEngine, name: str, prompts: Sequence[Prompt]) -> Prompt | None:
    for prompt in prompts[:MOST_PROMPTS]:
        why_not = engine.why_not(name, prompt)
        if why_not is None or why_not.code != "not_applicable":
            return prompt
    return None


def _specimen(domain: Domain) -> Sample:
    """A picture that was rendered in the run's medium, where one is at hand; else one of the built-in
    pool.
    """
    source = SPECIMENS.get(domain.medium.name)
    prompt = domain.prompts[0] if domain.prompts else Prompt("check", "")
    if source is not None:
        draft = Sample("check-good", prompt, source, tokens=len(source) // 4, seed=1)
        made = develop(domain.medium, [draft])[0]
        if made.picture is not None:
            return replace(made, failure=None)
    loved = Pool.load(FALLBACK_POOL).select(split="train", tiers=("love",))[0].reference
    return Sample(
        "check-good", prompt, loved.source, loved.source, loved.picture, tokens=len(loved.source) // 4
    )
