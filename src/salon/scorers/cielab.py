"""sRGB to CIELAB (D65), where distances are about as large as they look."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])


def rgb_to_lab(rgb_N3: Floats) -> Floats:
    """(N, 3) sRGB, 0 … 255, to L 0 … 100 and a, b about −128 … 127.

    Example: pure red (255, 0, 0) is about (53.2, 80.1, 67.2); white is (100, 0, 0).
    """
    value = rgb_N3 / 255.0
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    xyz = linear @ _TO_XYZ.T / _WHITE
    cube = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = cube[:, 0], cube[:, 1], cube[:, 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)
