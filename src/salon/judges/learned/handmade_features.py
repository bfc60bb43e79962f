"""A picture described by formula, nothing learned: for a judge that shares nothing with the network's.

Every function takes an RGB image of any size and gives a float32 vector of fixed length. Shape suffixes: H,
W = height, width; C = Lab channels; K = numbers of one description.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

FloatArray = NDArray[np.floating[Any]]

VERSION = 1
"""Part of every judge's identity: raise it when a formula changes."""
COLOUR_STATISTICS = 13
BLOCKS = (65, 20, 28, 70, 3, 19, COLOUR_STATISTICS)
"""Widths of `describe`'s parts: colours, texture, edges, layout, symmetry, tones, plain colour statistics."""
_SIDE = 128
_PAINT_DISTANCE = 32 / 255
_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], np.float32)
_WHITE = np.array([0.9505, 1.0, 1.089], np.float32)


def colour_statistics(image: Image.Image) -> NDArray[np.float32]:
    """Thirteen plain numbers: R, G, B, saturation, lightness (mean, spread), coverage, the paint's warmth."""
    rgb_HWC = _pixels(image)
    top_HW, low_HW = rgb_HWC.max(2), rgb_HWC.min(2)
    saturation_HW = (top_HW - low_HW) / np.maximum(top_HW, 1e-3)
    lightness_HW = (top_HW + low_HW) / 2
    paint_HW = _paint(rgb_HWC)
    values = [*rgb_HWC.mean((0, 1)), *rgb_HWC.std((0, 1))]
    values += [saturation_HW.mean(), saturation_HW.std(), lightness_HW.mean(), lightness_HW.std()]
    warmth_HW = rgb_HWC[..., 0] - rgb_HWC[..., 2]
    values += [paint_HW.mean(), _mean_where(saturation_HW, paint_HW), _mean_where(warmth_HW, paint_HW)]
    return np.array(values, np.float32)


def describe(image: Image.Image) -> NDArray[np.float32]:
    """Colour, texture, edges, layout and symmetry of a picture, as one vector."""
    rgb_HWC = _pixels(image)
    lab_HWC, paint_HW = _lab(rgb_HWC), _paint(rgb_HWC)
    parts = [
        _colours(lab_HWC, paint_HW),
        _texture(lab_HWC),
        _edges(lab_HWC[..., 0]),
        _layout(lab_HWC, paint_HW),
        _symmetry(lab_HWC),
        _tones(lab_HWC[..., 0], paint_HW),
        colour_statistics(image),
    ]
    return np.concatenate(parts).astype(np.float32)


def _pixels(image: Image.Image) -> FloatArray:
    small = image.resize((_SIDE, _SIDE), Image.Resampling.BOX)
    return np.asarray(small, np.float32) / 255


def _lab(rgb_HWC: FloatArray) -> FloatArray:
    """CIE Lab scaled to about −1 … 1 (L / 100, a / 100, b / 100)."""
    linear = np.where(rgb_HWC <= 0.04045, rgb_HWC / 12.92, ((rgb_HWC + 0.055) / 1.055) ** 2.4)
    xyz = linear @ _XYZ.T / _WHITE
    root = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    lightness = 1.16 * root[..., 1] - 0.16
    return np.stack([lightness, 5 * (root[..., 0] - root[..., 1]), 2 * (root[..., 1] - root[..., 2])], -1)


def _paint(rgb_HWC: FloatArray) -> FloatArray:
    """1 where there is paint: farther from the commonest (quantised) colour than 32 of 255 levels."""
    levels = (rgb_HWC * 255).astype(np.int64) >> 4
    codes = levels[..., 0] * 256 + levels[..., 1] * 16 + levels[..., 2]
    paper = np.median(rgb_HWC[codes == np.bincount(codes.ravel()).argmax()], axis=0)
    return (np.linalg.norm(rgb_HWC - paper, axis=2) > _PAINT_DISTANCE).astype(np.float32)


def _mean_where(values: FloatArray, mask: FloatArray) -> float:
    return float((values * mask).sum() / max(1.0, float(mask.sum())))


def _colours(lab_HWC: FloatArray, paint_HW: FloatArray) -> FloatArray:
    flat = lab_HWC.reshape(-1, 3)
    weight = paint_HW.ravel() + 1e-6
    chroma = np.linalg.norm(flat[:, 1:], axis=1)
    hue = np.arctan2(flat[:, 2], flat[:, 1])
    hues, _ = np.histogram(hue, bins=12, range=(-np.pi, np.pi), weights=weight * chroma)
    plane, _, _ = np.histogram2d(flat[:, 1], flat[:, 2], bins=6, range=[[-0.8, 0.8]] * 2, weights=weight)
    tones, _ = np.histogram(flat[:, 0], bins=8, range=(0, 1), weights=weight)
    moments = [flat.mean(0), flat.std(0), [paint_HW.mean(), _entropy(plane), _entropy(hues)]]
    shares = [np.sqrt(h.ravel() / max(float(h.sum()), 1e-6)) for h in (hues, plane, tones)]
    return np.concatenate([*moments, *shares])


def _entropy(counts: FloatArray) -> float:
    share = counts.ravel() / max(float(counts.sum()), 1e-9)
    return float(-(share * np.log(share + 1e-9)).sum())


def _halve(field: FloatArray) -> FloatArray:
    return (field[::2, ::2] + field[1::2, ::2] + field[::2, 1::2] + field[1::2, 1::2]) / 4


def _texture(lab_HWC: FloatArray) -> FloatArray:
    """Log energy and peakedness of a Laplacian pyramid's five levels: grain, wash and large form."""
    values: list[float] = []
    level = lab_HWC
    for _ in range(5):
        smaller = _halve(level)
        detail = level - np.repeat(np.repeat(smaller, 2, 0), 2, 1)
        energy = (detail**2).mean((0, 1))
        values += [float(e) for e in np.log(energy + 1e-7)]
        values.append(float(np.log((detail[..., 0] ** 4).mean() / (energy[0] ** 2 + 1e-12) + 1e-3)))
        level = smaller
    return np.array(values, np.float32)


def _edges(light_HW: FloatArray) -> FloatArray:
    """Edge directions and strengths at two scales, and how much of the picture is edge."""
    values: list[FloatArray] = []
    for field in (light_HW, _halve(_halve(light_HW))):
        down, right = np.gradient(field)
        strength = np.hypot(down, right)
        angle = np.arctan2(down, right) % np.pi
        turns, _ = np.histogram(angle, bins=8, range=(0, np.pi), weights=strength)
        values.append(np.sqrt(turns / max(float(turns.sum()), 1e-6)))
        values.append(np.log(np.percentile(strength, [50, 75, 90, 97]) + 1e-3))
        values.append(np.array([(strength > 0.03).mean(), (strength > 0.1).mean()]))
    return np.concatenate(values)


def _layout(lab_HWC: FloatArray, paint_HW: FloatArray) -> FloatArray:
    """A 4 × 4 grid of lightness, chroma, tone spread and coverage; where the paint lies and spreads."""
    side = _SIDE // 4
    chroma_HW = np.linalg.norm(lab_HWC[..., 1:], axis=2)

    def cells(field_HW: FloatArray) -> FloatArray:
        return field_HW.reshape(4, side, 4, side).transpose(0, 2, 1, 3).reshape(16, -1)

    grid = [cells(lab_HWC[..., 0]).mean(1), cells(chroma_HW).mean(1), cells(lab_HWC[..., 0]).std(1)]
    grid.append(cells(paint_HW).mean(1))
    rows, columns = np.mgrid[0:_SIDE, 0:_SIDE] / _SIDE - 0.5
    y, x = _mean_where(rows, paint_HW), _mean_where(columns, paint_HW)
    spread = [_mean_where((rows - y) ** 2, paint_HW), _mean_where((columns - x) ** 2, paint_HW)]
    sides = [paint_HW[:4], paint_HW[-4:], paint_HW[:, :4].T, paint_HW[:, -4:].T]
    border = np.concatenate(sides).mean()
    return np.concatenate([*grid, [y, x, abs(x), *np.sqrt(spread), border]])


def _symmetry(lab_HWC: FloatArray) -> FloatArray:
    """Correlation of lightness, −1 … 1, with the picture mirrored left-right, top-bottom, both."""
    light = lab_HWC[..., 0] - lab_HWC[..., 0].mean()
    power = float((light**2).sum()) + 1e-6
    return np.array(
        [(light * other).sum() / power for other in (light[:, ::-1], light[::-1], light[::-1, ::-1])]
    )


def _tones(light_HW: FloatArray, paint_HW: FloatArray) -> FloatArray:
    """Tone inside small patches of paint (flat fill or wash?), and the range of tones over all paint."""
    blocks = light_HW.reshape(16, 8, 16, 8).transpose(0, 2, 1, 3).reshape(256, 64)
    covered = paint_HW.reshape(16, 8, 16, 8).transpose(0, 2, 1, 3).reshape(256, 64).mean(1) > 0.9
    inside = blocks[covered].std(1) if covered.any() else np.zeros(1)
    painted = light_HW[paint_HW > 0] if paint_HW.any() else np.ones(1)
    local = np.percentile(inside, [10, 25, 50, 75, 90])
    overall = np.percentile(painted, [2, 10, 25, 50, 75, 90, 98])
    return np.concatenate([local, np.log(local + 1e-3), overall, [covered.mean(), overall[-1] - overall[0]]])
