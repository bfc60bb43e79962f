"""A procedural corpus of p5.brush sketches, varied on purpose from clumsy to lovely.

Every sketch is a chain of choices (paper, bleed, layering, opacity, petal shape, place, leaves, heart …),
and each choice has a *grade*: 0 clumsy, 1 middling, 2 lovely, in the shares `GRADES`. A share of the
choices, `KINSHIP`, follows one grade drawn for the whole sketch, so that thoroughly clumsy and thoroughly
lovely sketches exist too; the others are drawn independently. A policy trained on this can do everything
well and does so a third of the time: there is something for a reward to choose from.

Needs no torch. The same prompt, seed and quality give the same text.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from salon.errors import RecipeError
from salon.types import Prompt

from .prompts import COLOURS, FLOWERS, flower_prompt
from .species import SPECIES, Ring, Species

Quality = Literal["clumsy", "middling", "lovely"]
QUALITIES: tuple[Quality, ...] = ("clumsy", "middling", "lovely")
GRADES = (0.25, 0.45, 0.30)
KINSHIP = 0.45
UNFAITHFUL = 0.16

_PAPERS = (
    ("#dcdcdc", "#bfe3f5", "#f7e2a0", "#d5ecc4", "#e8c9d6", "#c9c2b4", "#6a6a72"),
    ("#ffffff", "#f4f4f4"),
    ("#fbf7ee", "#faf5e9", "#f8f4ec"),
)
_GREENS = (
    ("#2fbf3a", "#1f7a2e", "#6b6b3a"),
    ("#6f8f55", "#7d9a5f", "#5d8150"),
    ("#7f9c6a", "#5f8259", "#4d7358", "#94a86b"),
)
_WASHES = ("#cfdfb8", "#c3dbe8", "#f0d9b5", "#dccbe4")
_MUD = ("#b7a68f", "#96866f", "#75664f", "#8d7f86")
_GOLDS = ("#f2c14e", "#e9ae36", "#d9962b")
_DARKS = ("#3b2f38", "#4a3428", "#2e3140")


@dataclass(slots=True)
class _Draws:
    """The choices of one sketch: `grade()` draws the next choice's grade."""

    rng: random.Random
    overall: int
    fixed: bool

    def grade(self) -> int:
        if self.fixed:
            return self.overall if self.rng.random() < 0.85 else self._any()
        return self.overall if self.rng.random() < KINSHIP else self._any()

    def _any(self) -> int:
        return self.rng.choices((0, 1, 2), GRADES)[0]

    def pick(self, options: "tuple[str, ...] | tuple[int, ...] | tuple[float, ...]") -> str:
        return str(self.rng.choice(options))

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def even(self, low: float, high: float) -> int:
        """An even whole number: a coarse grid keeps the vocabulary small."""
        return 2 * round(self.rng.uniform(low, high) / 2)


def draw_sketch(prompt: Prompt, seed: int, quality: Quality | None = None) -> str:
    """A complete p5.brush 2 sketch for `prompt` (400 × 400, about 200–350 tokens).

    Args:
        prompt: `meta` names a `flower` of FLOWERS and a `colour` of COLOURS.
        seed: decides every choice.
        quality: fixes the overall grade, which 85 % of the choices follow; None draws the corpus mixture.

    Raises:
        RecipeError: when the flower or the colour is not one the generator knows.
    """
    species, colour = _look_up(prompt)
    rng = random.Random(f"{prompt.id}/{seed}/{quality}")
    overall = rng.choices((0, 1, 2), GRADES)[0] if quality is None else QUALITIES.index(quality)
    draws = _Draws(rng, overall, fixed=quality is not None)
    radius = _radius(draws, species)
    lines = [f"// {colour} {species.name}", _tones(draws, colour), _place(draws, species, radius)]
    lines += _petal(draws, species) + _ring(draws)
    lines += ["function setup() {", *(f"  {line}" for line in _setup(draws, species, radius)), "}"]
    lines.append("function draw() { noLoop(); }")
    return "\n".join(lines) + "\n"


def corpus(size: int, seed: int = 0) -> Iterator[tuple[Prompt, str]]:
    """`size` pairs of a prompt and a sketch for it, every flower and colour about equally often."""
    rng = random.Random(f"corpus/{seed}")
    for index in range(size):
        prompt = flower_prompt(rng.choice(FLOWERS), rng.choice(tuple(COLOURS)))
        yield prompt, draw_sketch(prompt, seed=seed * 1_000_003 + index)


def _look_up(prompt: Prompt) -> tuple[Species, str]:
    flower, colour = prompt.meta.get("flower", ""), prompt.meta.get("colour", "")
    if flower not in SPECIES:
        raise RecipeError(
            f"prompt {prompt.id!r}: no flower {flower!r}; the generator knows {', '.join(SPECIES)}"
        )
    if colour not in COLOURS:
        raise RecipeError(
            f"prompt {prompt.id!r}: no colour {colour!r}; the generator knows {', '.join(COLOURS)}"
        )
    return SPECIES[flower], colour


def _tones(draws: _Draws, colour: str) -> str:
    """Three tones: a full range of the asked colour, a narrow one, or the wrong colour altogether."""
    grade = draws.grade()
    if grade == 0 and draws.chance(UNFAITHFUL / GRADES[0]):
        other = draws.rng.choice([name for name in COLOURS if name != colour])
        shades = draws.rng.choice((COLOURS[other], _MUD + _MUD[:1]))
        grade = 1
    else:
        shades = COLOURS[colour]
    low, middle, high = draws.rng.choice(
        ((1, 1, 2), (2, 3, 3), (0, 1, 2)) if grade < 2 else ((0, 2, 4), (1, 2, 4), (1, 3, 4), (0, 2, 3))
    )
    return f'const pale = "{shades[low]}", rich = "{shades[middle]}", deep = "{shades[high]}";'


def _radius(draws: _Draws, species: Species) -> int:
    grade = draws.grade()
    side = species.view == "side"
    if grade == 0:
        return draws.even(30, 56) if draws.chance(0.7) else draws.even(170, 200)
    low, high = ((70, 96), (96, 124))[grade - 1]
    return draws.even(low, high) + (14 if side else 0)


def _place(draws: _Draws, species: Species, radius: int) -> str:
    grade = draws.grade()
    low = 210 if species.view == "side" else 172
    if grade == 0:
        x, y = draws.rng.choice((draws.even(60, 120), draws.even(280, 340))), draws.even(70, 330)
    elif grade == 1:
        x, y = 200, 200
    else:
        x, y = draws.even(182, 218), draws.even(low - 8, low + 12)
    return f"const x = {x}, y = {y};"


def _petal(draws: _Draws, species: Species) -> list[str]:
    """The helper that draws a petal or leaf from its foot: angle a, length l, width w, tip t."""
    grade = draws.grade()
    head = ["function petal(x, y, a, l, w, t) {", "  push();", "  translate(x, y);", "  rotate(a);"]
    tail = ["  pop();", "}"]
    if grade == 0 and draws.chance(0.6):
        return [*head, "  brush.circle(l * 0.6, 0, w * 0.5);", *tail]
    curve = draws.pick(((0, 0.1), (0.3, 0.4), (0.5, 0.6))[grade])
    tip = "l * random(0.86, 1.06)" if species.frilled and grade == 2 else "l"
    shoulder = "w * t * random(0.8, 1.1)" if species.frilled and grade > 0 else "w * t"
    if grade == 0:
        points = ["l * 0.6, -w * 0.5", "l, 0", "l * 0.6, w * 0.5"]
    else:
        points = [
            "l * 0.45, -w * 0.42",
            f"l * 0.88, -{shoulder}",
            f"{tip}, 0",
            f"l * 0.88, {shoulder}",
            "l * 0.45, w * 0.42",
        ]
    body = [
        f"  brush.beginShape({curve});",
        "  brush.vertex(-6, 0);",
        *(f"  brush.vertex({point});" for point in points),
    ]
    return [*head, *body, "  brush.endShape(true);", *tail]


def _ring(draws: _Draws) -> list[str]:
    """The helper that draws a ring of petals, and how much they vary in angle, length and opacity."""
    grade = draws.grade()
    sway = (
        ("0", "random(-30, 30)")[draws.chance(0.5)]
        if grade == 0
        else draws.pick((("random(-3, 3)", "random(-9, 9)"), ("random(-5, 5)", "random(-7, 7)"))[grade - 1])
    )
    length = ("l", "l * random(0.94, 1.06)", "l * random(0.86, 1.1)")[grade]
    opacity = "o * random(0.7, 1.2)" if draws.grade() == 2 else "o"
    return [
        "function ring(x, y, n, a, s, l, w, t, c, o) {",
        "  for (let i = 0; i < n; i++) {",
        f"    brush.fill(c, {opacity});",
        f"    petal(x, y, a + i * s + {sway}, {length}, w, t);",
        "  }",
        "}",
    ]


def _setup(draws: _Draws, species: Species, radius: int) -> list[str]:
    bleed = draws.pick(((0.01, 0.02, 0.6), (0.06, 0.1), (0.14, 0.18, 0.22))[draws.grade()])
    texture = draws.pick(
        (("0, 0", "0.9, 0.9"), ("0.2, 0.2", "0.6, 0.3"), ("0.4, 0.3", "0.4, 0.4", "0.5, 0.5"))[draws.grade()]
    )
    lines = [
        "createCanvas(400, 400, WEBGL);",
        "angleMode(DEGREES);",
        "translate(-200, -200);",
        f'background("{draws.pick(_PAPERS[draws.grade()])}");',
        "brush.noStroke();",
        f"brush.fillBleed({bleed});",
        f"brush.fillTexture({texture});",
    ]
    lines += _wash(draws) + _greenery(draws, species, radius)
    lines += _companion(draws, species, radius) + _bloom(draws, species, radius)
    lines += _heart(draws, species, radius) + _splashes(draws)
    return lines


def _wash(draws: _Draws) -> list[str]:
    if draws.grade() < 2 or draws.chance(0.3):
        return []
    tone = draws.pick(_WASHES)
    circles = [
        f"brush.circle({draws.even(130, 270)}, {draws.even(130, 270)}, {draws.even(90, 150)});"
        for _ in range(draws.rng.choice((1, 2)))
    ]
    return [f'brush.fill("{tone}", {draws.pick((90, 110))});', *circles]


def _greenery(draws: _Draws, species: Species, radius: int) -> list[str]:
    """A stem and leaves, or only a stem, or nothing."""
    grade = draws.grade()
    if grade == 0 and draws.chance(0.7):
        return []
    tones = _GREENS[draws.grade()]
    opacity = draws.pick(((255, 240), (180, 200), (110, 130, 150))[grade])
    lean, foot = draws.even(82, 98), "y - 20" if species.view == "side" else "y"
    if grade == 2 and species.view == "face":
        # Translucent petals would show a stem that runs behind them.
        foot = f"y + {draws.even(radius * 0.5, radius * 0.75)}"
    lines = [
        f'brush.fill("{draws.pick(tones)}", {opacity});',
        f"petal(x, {foot}, {lean}, {draws.even(190, 230)}, {draws.pick((8, 10, 12))}, 0.4);",
    ]
    if grade == 0:
        return lines
    if species.view == "side":
        leaves = [
            f"petal(x, y + {draws.even(130, 160)}, {angle},"
            f" {draws.even(110, 160)}, {draws.even(26, 38)}, 0.2);"
            for angle in (draws.even(-68, -54), draws.even(-126, -112))
        ]
    else:
        reach = min(radius, 130)
        angles = [draws.even(24, 52), draws.even(130, 156), draws.even(4, 20)]
        leaves = [_leaf(draws, reach, angle) for angle in angles]
    if grade == 1:
        return lines + leaves[:1]
    second = [f'brush.fill("{draws.pick(tones)}", {opacity});'] if draws.chance(0.6) else []
    return lines + leaves[:1] + second + leaves[1 : draws.rng.choice((2, 3))]


def _leaf(draws: _Draws, reach: int, angle: int) -> str:
    foot, length = draws.even(reach * 0.55, reach * 1.1), draws.even(reach * 0.85, reach * 1.25)
    return f"petal(x, y + {foot}, {angle}, {length}, {draws.even(36, 56)}, 0.2);"


def _companion(draws: _Draws, species: Species, radius: int) -> list[str]:
    """A bud on its own stalk, beside the flower: only in the loveliest sketches."""
    if draws.grade() < 2 or draws.chance(0.4):
        return []
    side = draws.rng.choice((-1, 1))
    across, up = draws.even(94, 108), draws.even(-10, 50)
    foot = f"x {'-' if side < 0 else '+'} {across}, y + {up}"
    turn, length = (-106 if side < 0 else -74), 2 * round(min(radius, 110) * 0.25)
    return [
        f"petal(x, y + {up + 110}, {-132 if side < 0 else -48}, {draws.even(150, 166)}, 8, 0.4);",
        f"ring({foot}, 2, {turn - 8}, 18, {length}, {2 * round(length * 0.28)}, 0.4, rich, 160);",
    ]


def _bloom(draws: _Draws, species: Species, radius: int) -> list[str]:
    """The rings of petals: one flat pass, two, or a large pale one with smaller, denser ones inside."""
    layers = (1, 2, len(species.rings))[draws.grade()]
    if species.name == "iris":
        layers = max(layers, 2)
    opacities = draws.rng.choice(
        (
            ((255, 255, 255), (30, 40, 50)),
            ((200, 210, 220), (70, 70, 90)),
            ((120, 130, 150), (140, 150, 180), (160, 160, 190)),
        )[draws.grade()]
    )
    count = draws.grade()
    lines: list[str] = []
    for index, ring in enumerate(species.rings[:layers]):
        tone = ("rich" if layers == 1 else "pale", "rich", "deep", "deep")[index]
        lines.append(_ring_call(draws, ring, radius, tone, opacities[min(index, 2)], count))
    return lines


def _ring_call(draws: _Draws, ring: Ring, radius: int, tone: str, opacity: int, count: int) -> str:
    petals, step = ring.petals, ring.step or round(360 / ring.petals)
    if count == 0 and petals > 2 and not ring.step:
        petals = max(3, petals - 2) if draws.chance(0.5) else petals + 3
        step = round(360 / petals) if draws.chance(0.5) else step
    length, width = 2 * round(ring.reach * radius / 2), 2 * round(ring.breadth * radius / 2)
    return f"ring(x, y, {petals}, {ring.turn}, {step}, {length}, {width}, {ring.tip}, {tone}, {opacity});"


def _heart(draws: _Draws, species: Species, radius: int) -> list[str]:
    grade = draws.grade()
    if grade == 0 and draws.chance(0.5):
        return []
    size = 2 * max(2, round(species.heart_size * radius / 2))
    gold, dark = draws.pick(_GOLDS), draws.pick(_DARKS)
    disc = [
        f'brush.fill("{dark if species.heart == "dark" else gold}", {(255, 190, 200)[grade]});',
        f"brush.circle(x, y, {size});",
    ]
    if grade == 0 or (grade == 1 and species.heart != "none"):
        return disc
    if species.heart == "spike":
        tip = draws.rng.choice((-40, -50, -130, -140))
        return [f'brush.fill("{gold}", 180);', f"petal(x, y, {tip}, {2 * round(radius * 0.4)}, 10, 0.5);"]
    if species.heart == "stamens":
        return [
            f'ring(x, y, 5, {draws.even(-100, -60)}, 72, {2 * round(radius * 0.24)}, 6, 0.9, "{gold}", 200);'
        ]
    if species.heart == "glow":
        return [f'ring(x, y, 3, 44, 46, {2 * round(radius * 0.18)}, 12, 0.4, "{gold}", 180);']
    if species.heart == "none":
        return []
    spread = 2 * round(size * 0.7)
    speck = gold if species.heart == "dark" else dark
    jitter = f"random(-{spread}, {spread})"
    loop = f"for (let i = 0; i < {draws.pick((4, 5, 6))}; i++)"
    dots = f"{loop} brush.circle(x + {jitter}, y + {jitter}, 3);"
    return [*disc, f'brush.fill("{speck}", 180);', dots]


def _splashes(draws: _Draws) -> list[str]:
    grade = draws.grade()
    if grade == 1 or draws.chance(0.5):
        return []
    size, count = (
        ("random(10, 20)", draws.pick((6, 8))) if grade == 0 else ("random(2, 6)", draws.pick((3, 4)))
    )
    tone = draws.pick(("pale", "rich"))
    return [
        f"brush.fill({tone}, {(200, 0, 120)[grade]});",
        f"for (let i = 0; i < {count}; i++) brush.circle(random(40, 360), random(40, 360), {size});",
    ]
