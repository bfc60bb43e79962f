"""How a recipe names a part: a built-in's short name, or a `module:attribute` path to somebody's own.

The built-ins stand in one literal table. Nothing registers itself: to add a part, write a module and name it
in the recipe (`scorer: my_scorers:Sharpness`), or add one line here.
"""

import difflib
import importlib
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from salon.errors import RecipeError, SetupError

Kind = Literal["medium", "scorer", "judge", "author", "classifier", "policy"]

BUILTINS: Mapping[str, Mapping[str, str]] = {
    "medium": {
        "p5.brush": "salon.media.sketch:SketchMedium",
        "svg": "salon.media.svg:SvgMedium",
        "fake": "salon.media.fake:FakeMedium",
        "cluster": "salon.cluster:ClusterMedium",
    },
    "scorer": {
        "sketch_gate": "salon.scorers.sketch_gate:SketchGate",
        "rendered": "salon.scorers.rendered:Rendered",
        "uses_brush": "salon.scorers.uses_brush:UsesBrush",
        "length": "salon.scorers.length:Length",
        "length_ramp": "salon.scorers.length_ramp:LengthRamp",
        "palette": "salon.scorers.palette:Palette",
        "diversity": "salon.scorers.diversity:Diversity",
        "pairwise": "salon.scorers.pairwise:Pairwise",
        "round_robin": "salon.scorers.round_robin:RoundRobin",
        "preference": "salon.scorers.preference:Preference",
        "checklist": "salon.scorers.checklist:Checklist",
        "constraints": "salon.scorers.constraints:Constraints",
        "hack_detector": "salon.scorers.hack_detector:HackDetector",
        "pixel_detector": "salon.scorers.pixel_detector:PixelDetector",
        "unwanted_text": "salon.scorers.unwanted_text:UnwantedText",
        "text_in_picture": "salon.scorers.text_in_picture:TextInPicture",
        "near_duplicates": "salon.scorers.near_duplicates:NearDuplicates",
        "base_comparison": "salon.scorers.base_comparison:BaseComparison",
        "critique": "salon.scorers.critique:CritiqueScore",
        "served": "salon.scorers.served:Served",
        "clip": "salon.scorers.clip:Clip",
        "hpsv2": "salon.scorers.hpsv2:HPSv2",
        "pickscore": "salon.scorers.clip:PickScore",
        "hpsv3": "salon.scorers.hpsv3:HPSv3",
        "image_reward": "salon.scorers.image_reward:ImageReward",
        "unified_reward": "salon.scorers.unified_reward:UnifiedReward",
        "edit_reward": "salon.scorers.edit_reward:EditReward",
        "edit_score": "salon.scorers.edit_score:EditScore",
        "edit_score_local": "salon.scorers.edit_score_local:EditScoreLocal",
    },
    "judge": {
        "taste": "salon.judges.taste:TasteJudge.load",
        "openai": "salon.judges.vlm:OpenAIJudge",
        "anthropic": "salon.judges.vlm:anthropic_judge",
        "gemini": "salon.judges.vlm:gemini_judge",
        "rational": "salon.judges.rational:RationalJudge",
        "council": "salon.judges.council:Council",
        "fake": "salon.judges.fake:FakeJudge",
    },
    "author": {
        "openai": "salon.rubrics.chat_author:ChatAuthor",
    },
    "classifier": {
        "keywords": "salon.rewards.keywords:Keywords",
        "intent": "salon.rubrics.classify:Intent",
        "applies": "salon.rubrics.classify:Applies",
    },
    "policy": {
        "fake": "salon.policies.fake:FakePolicy",
    },
}


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A closing sentence for an error: the nearest known word, or all of them. Starts with a space."""
    names = sorted(known)
    near = difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    return f" Did you mean {near[0]!r}?" if near else f" Known: {', '.join(names)}."


def load(path: str) -> Any:
    """The object at `module:attribute` (attribute may be dotted: `module:Class.method`).

    Raises RecipeError when the module or the attribute is not there, and SetupError when the module is there
    but a package that it imports is not.
    """
    module_name, _, attribute = path.partition(":")
    if not module_name or not attribute:
        raise RecipeError(f"{path!r} is no module:attribute path. Write it as 'package.module:Name'.")
    try:
        found: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise _not_found(path, module_name, error) from error
    for part in attribute.split("."):
        try:
            found = getattr(found, part)
        except AttributeError as error:
            known = [name for name in dir(found) if not name.startswith("_")]
            raise RecipeError(f"{path!r}: there is no {part!r} in it.{did_you_mean(part, known)}") from error
    return found


def resolve(kind: Kind, name_or_path: str) -> Any:
    """The class or function meant by `name_or_path`: a built-in of this kind, or a module:attribute path.

    Raises RecipeError with a suggestion when there is no such built-in.
    """
    if ":" in name_or_path:
        return load(name_or_path)
    table = BUILTINS[kind]
    if name_or_path not in table:
        raise RecipeError(
            f"no {kind} is called {name_or_path!r}.{did_you_mean(name_or_path, table)}"
            f" Your own {kind} goes by its module:attribute path."
        )
    return load(table[name_or_path])


def _not_found(path: str, module_name: str, error: ModuleNotFoundError) -> Exception:
    missing = error.name or ""
    if module_name == missing or module_name.startswith(missing + "."):
        return RecipeError(
            f"{path!r}: there is no module {missing!r}. Install it, or put its folder on PYTHONPATH."
        )
    return SetupError(
        f"{path!r} needs the package {missing!r}, which is not installed. Try: pip install {missing}"
    )
