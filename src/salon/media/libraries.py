"""The JavaScript that sketches are drawn with: where it is, that its versions are the pinned ones, and its
text.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from salon.errors import SetupError
from salon.installed import node_modules, pinned_libraries

# p5.brush 2.2.2 takes screen-space derivatives after some pixels of a 2 × 2 block have returned, where GLSL
# leaves them undefined: on software WebGL a few edge pixels then differ from run to run. Taking them before
# the return defines them, and changes nothing else.
EARLY_RETURN = "if(maskColor.a==0.0){outColor=source;return;}"
EDGE_LOOP = (
    "float blurEdge=0.0;for(int i=-2;i<=2;i+=2){for(int j=-2;j<=2;j+=2){"
    "vec2 neighborUV=maskUV+vec2(float(i),float(j))*texelSize;"
    "float neighborAlpha=texture(u_mask,neighborUV).a*15.0;"
    "blurEdge+=smoothstep(EDGE_MIN,EDGE_MAX,length(vec2(dFdx(neighborAlpha),dFdy(neighborAlpha))));}}"
)
TEXEL = "vec2 texelSize=1.0/vec2(textureSize(u_mask,0));"
FILES = {"p5": "lib/p5.min.js", "p5.brush": "dist/p5.brush.js"}


@dataclass(frozen=True, slots=True)
class Libraries:
    """The two libraries' source text and their versions."""

    p5: str
    brush: str
    versions: tuple[tuple[str, str], ...]


@cache
def load_libraries() -> Libraries:
    """Read p5 and p5.brush.

    Raises:
        SetupError: one is missing, or of another version than the pinned one (p5 1.x beside p5.brush 2.x
            silently draws nothing).
    """
    folder, pinned = node_modules(), pinned_libraries()
    for name, version in pinned.items():
        found = _version(folder / name / "package.json")
        if found != version:
            state = f"is {found}" if found else "is missing"
            raise SetupError(f"{name} {state} in {folder}, and {version} is needed: run `salon setup`")
    texts = {name: (folder / name / file).read_text(encoding="utf-8") for name, file in FILES.items()}
    return Libraries(p5=texts["p5"], brush=_defined(texts["p5.brush"]), versions=tuple(pinned.items()))


@cache
def brush_methods() -> frozenset[str]:
    """Every name the installed p5.brush exports, read from its bundle's closing `t.name=…` assignments.

    Raises:
        SetupError: the library is not there, or its bundle has another form.
    """
    names = frozenset(re.findall(r"[{;,]t\.(\w+)=", load_libraries().brush[-6000:]))
    if not {"fill", "circle", "scaleBrushes"} <= names:
        raise SetupError("the list of p5.brush's methods cannot be read from its bundle: run `salon setup`")
    return names


def _defined(brush: str) -> str:
    """p5.brush with its edge derivatives taken where they are defined."""
    if any(brush.count(part) != 1 for part in (EARLY_RETURN, EDGE_LOOP, TEXEL)):
        raise SetupError("p5.brush's shader is not the one of the pinned version: run `salon setup`")
    before, after = brush.split(EARLY_RETURN)
    hoisted = TEXEL + EDGE_LOOP.replace("float blurEdge=0.0;", "float blurEdge=0.0;if(!u_isBrush){") + "}"
    return before + hoisted + EARLY_RETURN + after.replace(TEXEL, "").replace(EDGE_LOOP, "")


def _version(file: Path) -> str | None:
    try:
        return str(json.loads(file.read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, KeyError):
        return None
