"""Which judge is meant: one way of naming a judge, for every command that asks one.

    taste, heldout, pixels, rational …      a built-in: a learned judge that ships, or a kind
    judges/mine                             a learned judge's folder
    my_module:Judge                         one of your own
    recipes/arena.yaml#vlm                  a recipe's judge (or --recipe recipes/arena.yaml --judge vlm)
    --model Qwen/… --base-url http://…      a vision-language model on a server

`--set key=value` goes over all of it.
"""

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from salon import validation
from salon.errors import RecipeError, boundary
from salon.files.shipped_recipes import find_recipe
from salon.judges.learned.taste import LEARNED
from salon.judges.vlm.chat_judge import OpenAIJudge
from salon.judges.vlm.rational import RationalJudge
from salon.llm.chat_client import ChatClient
from salon.llm.settings import KEYS
from salon.registry import BUILTINS, allow, did_you_mean, look_in
from salon.rewards.build import build_judge
from salon.rewards.recipe import JudgeSpec, RewardRecipe, load_reward
from salon.types import Judge
from salon.variables import key_for_host

_CHATS = ("openai", "anthropic", "gemini", "rational")


@contextmanager
def naming(judge: Judge) -> Generator[None]:
    """What a judge of one's own raises, or what breaks on its answer, told as that judge's fault.

    Raises:
        RecipeError: names the judge and what was raised. salon's own judges are let be.
    """
    if type(judge).__module__.partition(".")[0] == "salon":
        yield
        return
    with boundary("judge") as caught:
        yield
    if caught.failure:
        kind = type(judge)
        raise RecipeError(
            f"the judge {kind.__module__}:{kind.__qualname__} raises or answers in no form that can be read:"
            f" {caught.failure.message}. `salon judge probe` says more of it."
        )


def open_judge(
    name: str | Path = "",
    model: str = "",
    base_url: str = "",
    settings: Sequence[str] = (),
    recipe: str = "",
    criteria: str = "",
) -> Judge:
    """A judge by what is typed, see above. With a model, the kind is openai unless another one is named;
    without anything it is `taste`.

    Args:
        settings: `key=value` lines, the values YAML; they go over what a recipe says.
        recipe: a recipe's file, whose judges `name` is looked for in first.
        criteria: what it is to go by, as text; nothing asks for none.

    Raises:
        RecipeError, SetupError: it is not known, or cannot be built; or it is a public service, and the key
            is missing. Nobody is asked.
    """
    spec = _spec(os.fspath(name), model, recipe)
    for key, value in (("model", model), ("base_url", base_url), ("criteria", criteria)):
        spec |= {key: value} if value else {}
    for line in settings:
        validation.set_key(spec, line)
    if base_url:
        # Whoever types an address has named the host that the key goes to.
        allow(*key_for_host(spec.get("api_key"), base_url))
    judge = build_judge(validation.validated(JudgeSpec, spec, "judge"), "judge")
    if isinstance(judge, OpenAIJudge | RationalJudge) and (problem := without_key(judge.server)):
        raise RecipeError(problem)
    return judge


def without_key(server: ChatClient) -> str:
    """Why nobody should be asked: a public service was meant (or nobody meant it), and its key is missing. ""
    where all is well.
    """
    settings = server.settings
    variable = KEYS.get(server.host, "")
    if settings.base_url or server.has_key or not variable:
        return ""
    told = f"the model {settings.model!r} has no base_url, so it would be asked at {settings.address}, and"
    told += f" {variable} is not set. Name your server (--base-url, base_url), or set {variable}."
    if settings.model in _builtin():
        told += f" The built-in judge goes by its name alone: --judge {settings.model}."
    return told


def _spec(name: str, model: str, recipe: str) -> dict[str, Any]:
    """A judge's kind and arguments."""
    if recipe:
        return _of_recipe(recipe, name)
    file, hash_sign, wanted = name.partition("#")
    if hash_sign or file.endswith((".yaml", ".yml")):
        return _of_recipe(file, wanted)
    if not name:
        return {"kind": "openai"} if model else {"kind": "taste"}
    if name in BUILTINS["judge"]:
        return {"kind": name}
    if name in LEARNED or os.path.isfile(Path(name) / "judge.json"):
        return {"kind": "taste", "name_or_path": name}
    if ":" in name:
        return {"kind": name}
    if os.path.isdir(name):
        raise RecipeError(f"{name}: is a folder without a judge.json. Make one with salon train-judge.")
    raise RecipeError(
        f"no judge is called {name!r}.{did_you_mean(name, _builtin())} A learned judge goes by its folder, a"
        " recipe's as recipe.yaml#name, your own by its module:attribute path, a model on a server by --model"
        " and --base-url."
    )


def _builtin() -> list[str]:
    return sorted({*BUILTINS["judge"], *LEARNED})


def _of_recipe(file: str, wanted: str) -> dict[str, Any]:
    judges = _recipe(file).judges
    if not wanted and len(judges) == 1:
        wanted = next(iter(judges))
    if wanted not in judges:
        hint = did_you_mean(wanted, judges) if judges else ""
        raise RecipeError(f"{file}: name one of its judges as {file}#name.{hint}")
    return dict(judges[wanted].model_dump())


def _recipe(file: str) -> RewardRecipe:
    found = find_recipe(file)
    written = validation.read_yaml(found)
    look_in(found.parent)
    return load_reward({"reward": written["reward"]} if {"policy", "reward"} <= written.keys() else found)
