"""What a text shows of a secret, and the text without it: as it is, with anything but letters and digits
between its letters, escaped as URLs, JSON and HTML do, in base64 or hexadecimal, a long part of it, or its
two ends around a mask (`sk-abc***xyz`).

A text is searched as bytes from which all but letters and digits is gone, once as it is and once more for
each layer of escapes, and only what was found is traced back to where it stands. Every search takes time
linear in the text.
"""

import base64
import functools
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

PART = 12
"""So many letters and digits in a row, of a secret of `WHOLE` or more, are hidden on their own."""
WHOLE = 24
ENDS = 8
"""More characters than these, of a secret's head and tail together, are hidden with the mask between."""
_SEEN = 5
"""One of the ends is at least so long: it is what the search begins with."""
_LEAST = 8
_LAYERS = 4

_ASCII = bytes(range(128))
_ALNUM = frozenset(sign for sign in _ASCII if chr(sign).isalnum())
_NO_ALNUM = bytes(sign for sign in range(256) if sign not in _ALNUM)
_NO_SIGN = b" \t\n\r\v\f\\"
_ESCAPE = re.compile(
    rb"(?<!\\)\\++(?:x(?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})|[nrtbf])"
    rb"|%(?:25)*+(?P<url>[0-9a-fA-F]{2})|%25"
    rb"|(?P<html>&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|quot|lt|gt|apos|nbsp|hellip|bull);)"
    rb"|\xc2[\xa0\xad]|\xe2\x80[\x8b-\x8d]|\xe2\x81\xa0|\xef\xbb\xbf"
)
"""Escapes, and characters that nobody sees."""
_MASK = (
    rb"[^a-z0-9]{0,4}(?:[*.#_~=?\x80-\xff-]{2,64}|x{3,64}"
    rb"|[^a-z0-9]{1,4}(?:hidden|redacted|masked|removed|truncated|snip)[^a-z0-9]{1,4})[^a-z0-9]{0,4}"
)
_MASK_AFTER, _MASK_BEFORE = re.compile(_MASK), re.compile(_MASK + rb"$")
_MASK_REACH = 80

Span = tuple[int, int]


def hide(text: str, secrets: frozenset[str], put: str) -> str:
    """`text` with `put` in place of whatever it shows of the secrets, each of at least eight characters."""
    for secret in sorted(secrets, key=lambda each: (-len(each), each)):
        text = text.replace(secret, put)
    data = text.encode("utf-8", "surrogatepass")
    spans = [span for view in _views(data) for secret in secrets for span in view.shown(secret)]
    return _without(data, spans, put.encode()).decode("utf-8", "surrogatepass") if spans else text


@dataclass(frozen=True, slots=True)
class _Escapes:
    """Where what was read of escapes stands, and where these stood."""

    read: list[int] = field(default_factory=list[int])
    read_ends: list[int] = field(default_factory=list[int])
    stood: list[int] = field(default_factory=list[int])
    stood_ends: list[int] = field(default_factory=list[int])

    def origin(self, span: Span) -> Span:
        return self._origin(span[0], end=False), self._origin(span[1] - 1, end=True)

    def _origin(self, place: int, end: bool) -> int:
        at = bisect_right(self.read, place) - 1
        if at < 0:
            return place + end
        if place < self.read_ends[at]:
            return self.stood_ends[at] if end else self.stood[at]
        return self.stood_ends[at] + place - self.read_ends[at] + end


class _View:
    """A text with some layers of its escapes read."""

    def __init__(self, data: bytes, layers: tuple[_Escapes, ...]) -> None:
        self.data, self.layers = data, layers
        self.dense = data.translate(None, _NO_ALNUM)
        self.dense_low = self.dense.lower()
        self.signs = data.translate(None, _NO_SIGN)
        self.signs_low = self.signs.lower()

    def shown(self, secret: str) -> Iterator[Span]:
        """Where in the text itself something of the secret stands."""
        forms = _forms(secret)
        for needle, least in forms.any_case:
            yield from self._traced(_runs(needle, self.dense_low, least), _NO_ALNUM)
        for needle in forms.encoded:
            yield from self._traced(_runs(needle, self.dense, len(needle)), _NO_ALNUM)
        if not forms.any_case:
            yield from self._traced(_runs(forms.signs, self.signs_low, len(forms.signs)), _NO_SIGN)
        yield from self._traced(_masked(forms.signs, self.signs_low), _NO_SIGN)

    def _traced(self, spans: Iterator[Span], left_out: bytes) -> Iterator[Span]:
        kept = None
        for first, end in spans:
            kept = self._kept(left_out) if kept is None else kept
            span = int(kept[first]), int(kept[end - 1]) + 1
            for layer in reversed(self.layers):
                span = layer.origin(span)
            yield span

    def _kept(self, left_out: bytes):
        """The places of the bytes that are not left out."""
        import numpy as np

        wanted = np.ones(256, dtype=bool)
        wanted[list(left_out)] = False
        return np.flatnonzero(wanted[np.frombuffer(self.data, dtype=np.uint8)])


@dataclass(frozen=True, slots=True)
class _Forms:
    any_case: list[tuple[bytes, int]]
    """What is searched among letters and digits alone, in small letters, and how much of it counts."""
    encoded: list[bytes]
    signs: bytes
    """The secret itself, in small letters and without white space."""


@functools.lru_cache(maxsize=256)
def _forms(secret: str) -> _Forms:
    data = secret.encode("utf-8", "surrogatepass")
    plain = data.translate(None, _NO_ALNUM).lower()
    any_case = [(plain, PART if len(secret) >= WHOLE else len(plain))] if len(plain) >= _LEAST else []
    if any_case:
        any_case.append((data.hex().encode(), 2 * len(data)))
    encoded = [form.translate(None, _NO_ALNUM) for form in _base64(data)]
    return _Forms(any_case, encoded, data.translate(None, _NO_SIGN).lower())


def _base64(data: bytes) -> Iterator[bytes]:
    """What of base64 is the secret's alone, for each number of bytes that may stand before it."""
    for before in range(3):
        whole = base64.b64encode(bytes(before) + data)
        yield whole[-(-before * 8 // 6) : (before + len(data)) * 8 // 6]


def _views(data: bytes) -> Iterator[_View]:
    layers: tuple[_Escapes, ...] = ()
    for _ in range(_LAYERS):
        yield _View(data, layers)
        read, escapes = _read(data)
        if not escapes.read:
            return
        data, layers = read, (*layers, escapes)


def _read(data: bytes) -> tuple[bytes, _Escapes]:
    """The text with one layer of its escapes read."""
    escapes, read, last = _Escapes(), bytearray(), 0
    for match in _ESCAPE.finditer(data):
        read += data[last : match.start()]
        escapes.read.append(len(read))
        read += _meant(match)
        escapes.read_ends.append(len(read))
        escapes.stood.append(match.start())
        last = match.end()
        escapes.stood_ends.append(last)
    return bytes(read + data[last:]), escapes


def _meant(match: re.Match[bytes]) -> bytes:
    if match["html"]:
        return unescape(match["html"].decode()).encode("utf-8", "surrogatepass")
    if match["u"]:
        return chr(int(match["u"], 16)).encode("utf-8", "surrogatepass")
    if number := match["x"] or match["url"]:
        return bytes([int(number, 16)])
    return b"%" if match[0] == b"%25" else b" "


def _runs(needle: bytes, text: bytes, least: int) -> Iterator[Span]:
    """Where at least so many bytes of the needle stand in a row.

    Such a run holds one of the blocks into which the needle is cut, as each is half as long.
    """
    size = len(needle) if least >= len(needle) else (least + 1) // 2
    for at in range(0, len(needle) - size + 1, size):
        block = needle[at : at + size]
        place = text.find(block)
        while place >= 0:
            before = _same_before(needle[:at], text, place)
            after = _same_after(needle[at + size :], text, place + size)
            first, end = place - before, place + size + after
            if end - first >= least:
                yield first, end
            place = text.find(block, end if end - first >= least else place + 1)


def _masked(signs: bytes, text: bytes) -> Iterator[Span]:
    """Where a secret's two ends stand around a mask, or a long one before or after it."""
    for place in _places(signs[:_SEEN], text):
        end = place + _same_after(signs, text, place)
        if mask := _MASK_AFTER.match(text, end):
            # A mask's last sign may be the tail's first.
            tails = [(_longest_tail(signs, text, mask.end() - less), mask.end() - less) for less in (0, 1, 2)]
            tail, at = max(tails)
            if end - place + tail > ENDS:
                yield place, at + tail if tail else end
    for place in _places(signs[-_SEEN:], text):
        first = place - _same_before(signs[:-_SEEN], text, place)
        if mask := _MASK_BEFORE.search(text[max(0, first - _MASK_REACH) : first]):
            at = max(0, first - _MASK_REACH) + mask.start()
            heads = [(_longest_head(signs, text, at + more), at + more) for more in (0, 1, 2)]
            head, at = max(heads)
            if place + _SEEN - first + head > ENDS:
                yield at - head if head else first, place + _SEEN


def _places(needle: bytes, text: bytes) -> Iterator[int]:
    place = text.find(needle)
    while place >= 0:
        yield place
        place = text.find(needle, place + 1)


def _same_after(needle: bytes, text: bytes, at: int) -> int:
    """How many of the needle's first bytes stand at a place."""
    pairs = enumerate(zip(needle, text[at : at + len(needle)], strict=False))
    return next((index for index, (one, other) in pairs if one != other), min(len(needle), len(text) - at))


def _same_before(needle: bytes, text: bytes, end: int) -> int:
    """How many of the needle's last bytes stand before a place."""
    part = text[max(0, end - len(needle)) : end]
    pairs = enumerate(zip(reversed(needle), reversed(part), strict=False))
    return next((index for index, (one, other) in pairs if one != other), min(len(needle), len(part)))


def _longest_tail(signs: bytes, text: bytes, at: int) -> int:
    sizes = range(min(len(signs), _MASK_REACH), 0, -1)
    return next((size for size in sizes if text.startswith(signs[-size:], at)), 0)


def _longest_head(signs: bytes, text: bytes, end: int) -> int:
    sizes = range(min(len(signs), _MASK_REACH), 0, -1)
    return next((size for size in sizes if text.endswith(signs[:size], 0, end)), 0)


def _without(data: bytes, spans: list[Span], put: bytes) -> bytes:
    kept, last = bytearray(), 0
    for first, end in sorted(spans):
        if end <= last:
            continue
        if first >= last:
            kept += data[last : _start_of_sign(data, first)] + put
        last = end
        while last < len(data) and data[last] & 0xC0 == 0x80:
            last += 1
    return bytes(kept + data[last:])


def _start_of_sign(data: bytes, at: int) -> int:
    while at > 0 and data[at] & 0xC0 == 0x80:
        at -= 1
    return at
