"""What the embedded policy is asked for: colours, flowers, and the prompts that join them."""

from collections.abc import Sequence

from salon.errors import RecipeError
from salon.types import Prompt

COLOURS: dict[str, tuple[str, ...]] = {
    "peach": ("#fddcc4", "#fbc7a4", "#f5a87e", "#ec8a5e", "#d96f45"),
    "crimson": ("#f3a3a8", "#e2616f", "#c92a42", "#a81530", "#7d0f28"),
    "coral": ("#fcc0b0", "#fa9a84", "#f47560", "#e45749", "#c43f38"),
    "violet": ("#d9c7ee", "#b796df", "#9166c8", "#7243ae", "#532c88"),
    "indigo": ("#b9c0ea", "#8490d3", "#5360b5", "#384291", "#262c6c"),
    "sky blue": ("#cfe8f7", "#a3d3f0", "#74b8e4", "#4c9ad1", "#327bb3"),
    "lemon": ("#fdf4ae", "#fae97a", "#f5d94a", "#e8c22c", "#cba31c"),
    "blush pink": ("#fbdfe3", "#f6c3cc", "#eea3b2", "#e0839a", "#c9647f"),
    "magenta": ("#f4b0da", "#e678bb", "#d2419b", "#b0257d", "#861a5f"),
    "orange": ("#fdd09a", "#fbae5c", "#f48c2a", "#e0701a", "#bd5712"),
    "lilac": ("#eadcf2", "#d5bde6", "#bd9cd6", "#a37ec4", "#8562aa"),
    "scarlet": ("#fba899", "#f46b55", "#e63a2a", "#c7261f", "#98191b"),
    "rose pink": ("#f9c3d3", "#f096b2", "#e26a92", "#cb4877", "#a4325d"),
    "cobalt": ("#b3cdf0", "#7aa5e0", "#437bcb", "#2a5cab", "#1c4283"),
}
"""Colour name → five shades from pale to deep, as hex RGB."""

FLOWERS: tuple[str, ...] = (
    "hibiscus",
    "poppy",
    "daisy",
    "tulip",
    "rose",
    "lily",
    "iris",
    "sunflower",
    "peony",
    "anemone",
    "cosmos",
)

CHAT_BRIEF = (
    "You paint with code. Answer with one complete p5.js 2 sketch and nothing else: setup() creates "
    "createCanvas(400, 400, WEBGL), angleMode(DEGREES) and translate(-200, -200); draw() calls noLoop(). "
    "Paint only with these p5.brush methods: brush.noStroke(), brush.fill(color, opacity), brush.noFill(), "
    "brush.fillBleed(strength), brush.fillTexture(strength, border), brush.beginShape(curvature), "
    "brush.vertex(x, y), brush.endShape(true), brush.circle(x, y, radius), brush.scaleBrushes(scale)."
)
"""What a chat model is told first: a strict list of methods teaches better than an API reference. They are
those that `methods: watercolour` allows (salon.media.p5.checks.vocabulary).
"""


def flower_prompt(flower: str, colour: str) -> Prompt:
    """The prompt "draw a {colour} {flower} in watercolour"; any words are allowed."""
    article = "an" if colour[:1] in "aeiou" else "a"
    return Prompt(
        id=f"{colour}-{flower}".replace(" ", "-"),
        text=f"draw {article} {colour} {flower} in watercolour",
        subject=flower,
        meta={"colour": colour, "flower": flower},
    )


def flower_prompts(
    flowers: Sequence[str] | None = None, colours: Sequence[str] | None = None
) -> list[Prompt]:
    """Every flower in every colour, flower by flower; None stands for all that the policy knows.

    Raises:
        RecipeError: when one of the lists is empty.
    """
    flowers = FLOWERS if flowers is None else flowers
    colours = tuple(COLOURS) if colours is None else colours
    if not flowers or not colours:
        raise RecipeError("prompts: `flowers` and `colours` must each name at least one")
    return [flower_prompt(flower, colour) for flower in flowers for colour in colours]
