"""How each flower is built, in the few numbers a sketch needs: rings of petals and what they surround."""

from dataclasses import dataclass
from typing import Literal

View = Literal["face", "side"]
Heart = Literal["spike", "disc", "dark", "stamens", "none", "glow"]


@dataclass(frozen=True, slots=True)
class Ring:
    """A ring (or a fan) of petals, relative to the flower's radius.

    `reach` and `breadth` are a petal's length and width as shares of the radius, `tip` half the width near
    its end as a share of the width (0.15 pointed, 0.6 blunt), `turn` the first petal's angle in degrees
    (−90 is up), `step` the angle between petals (0: spread over the circle).
    """

    petals: int
    reach: float
    breadth: float
    tip: float
    turn: int = -90
    step: int = 0


@dataclass(frozen=True, slots=True)
class Species:
    """`rings` from the back to the front: the first alone is the plainest flower, later ones are smaller and
    denser passes.
    """

    name: str
    rings: tuple[Ring, ...]
    heart: Heart
    view: View = "face"
    frilled: bool = False
    heart_size: float = 0.16


SPECIES: dict[str, Species] = {
    species.name: species
    for species in (
        Species(
            "hibiscus", (Ring(5, 1.0, 0.92, 0.5), Ring(5, 0.8, 0.56, 0.4), Ring(5, 0.42, 0.28, 0.3)), "spike"
        ),
        Species(
            "poppy",
            (Ring(4, 1.0, 1.2, 0.55, -60), Ring(4, 0.82, 0.84, 0.5, -15), Ring(4, 0.36, 0.3, 0.3, -60)),
            "dark",
            frilled=True,
            heart_size=0.17,
        ),
        Species(
            "daisy",
            (Ring(12, 1.0, 0.3, 0.5), Ring(6, 0.8, 0.2, 0.4, -76), Ring(6, 0.46, 0.12, 0.3)),
            "disc",
            heart_size=0.24,
        ),
        Species(
            "tulip",
            (
                Ring(3, 1.0, 0.62, 0.34, -118, 28),
                Ring(2, 0.94, 0.6, 0.3, -104, 28),
                Ring(1, 0.66, 0.42, 0.3, -90, 28),
            ),
            "none",
            view="side",
        ),
        Species(
            "rose",
            (
                Ring(6, 1.0, 0.9, 0.55),
                Ring(5, 0.7, 0.66, 0.55, -60),
                Ring(4, 0.44, 0.44, 0.5, -30),
                Ring(3, 0.22, 0.26, 0.5),
            ),
            "none",
            frilled=True,
        ),
        Species(
            "lily", (Ring(6, 1.0, 0.46, 0.28), Ring(6, 0.82, 0.26, 0.22), Ring(6, 0.4, 0.1, 0.2)), "stamens"
        ),
        Species(
            "iris",
            (
                Ring(3, 0.9, 0.56, 0.5, -124, 34),
                Ring(3, 1.0, 0.52, 0.5, 44, 46),
                Ring(3, 0.62, 0.26, 0.4, 44, 46),
            ),
            "glow",
            view="side",
            frilled=True,
        ),
        Species(
            "sunflower",
            (Ring(14, 1.0, 0.28, 0.26), Ring(7, 0.82, 0.2, 0.22, -78), Ring(7, 0.56, 0.12, 0.2)),
            "dark",
            heart_size=0.34,
        ),
        Species(
            "peony",
            (Ring(7, 1.0, 0.86, 0.55), Ring(6, 0.74, 0.62, 0.55, -60), Ring(5, 0.48, 0.42, 0.5, -30)),
            "disc",
            frilled=True,
            heart_size=0.12,
        ),
        Species(
            "anemone",
            (Ring(7, 1.0, 0.66, 0.5), Ring(7, 0.8, 0.4, 0.4), Ring(7, 0.36, 0.12, 0.3)),
            "dark",
            heart_size=0.18,
        ),
        Species(
            "cosmos", (Ring(8, 1.0, 0.56, 0.6), Ring(8, 0.78, 0.3, 0.45), Ring(8, 0.4, 0.1, 0.3)), "disc"
        ),
    )
}
