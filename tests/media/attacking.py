"""What the tests of attacks share: after every attack a control sketch must come out as ever."""

from collections.abc import Mapping

import attacks
from listening import Listener
from unchecked import Unchecked

from salon.raster import decode
from salon.types import Rendering

CONTROL = attacks.control()


def png(rendering: Rendering) -> bytes:
    assert rendering.picture is not None, rendering.failure
    return rendering.picture.png


def attacked(
    kind: Mapping[str, str | None], listener: Listener, control: bytes, deadline_s: float = 60
) -> dict[str, Rendering]:
    """Every attack of a kind on one worker, each followed by the control sketch."""
    medium = Unchecked(workers=1, deadline_s=deadline_s)
    found: dict[str, Rendering] = {}
    try:
        for name, body in kind.items():
            source = attacks.sketch(name, body, listener.port)
            found[name], after = medium.render([source, CONTROL], [5, 5])
            assert png(after) == control, f"{name} changed the next sketch's picture"
    finally:
        medium.close()
    assert listener.reached == []
    return found


def codes(found: Mapping[str, Rendering]) -> dict[str, str]:
    return {name: r.failure.code if r.failure else "ok" for name, r in found.items()}


def is_red(rendering: Rendering) -> bool:
    return decode(png(rendering)).getpixel((20, 20)) == (255, 0, 0)
