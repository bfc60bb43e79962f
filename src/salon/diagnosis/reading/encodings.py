"""Text files that are not UTF-8: named as what they are, and read."""

import re

from salon.errors import RecipeError

_MARKED = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_LOOK = 1 << 16
_HANGUL = re.compile("[\uac00-\ud7a3]")
_KANA = re.compile("[\u3040-\u30ff]")
_HAN = re.compile("[\u4e00-\u9fff]")
_EAST = (("cp949", _HANGUL), ("cp932", _KANA), ("gb18030", _HAN))


def as_utf8(data: bytes, where: str) -> tuple[bytes, tuple[str, ...]]:
    """The same text in UTF-8 without a byte-order mark, and a note of what it was in where it was not.

    Marked text (UTF-16, UTF-32) is what its mark says. Else text whose high bytes come in pairs is East
    Asian, by the letters that it then has: cp949 (Korean), cp932 (Japanese) or gb18030 (Chinese). Else it is
    cp1252, as Windows writes it in the West.

    Raises:
        RecipeError: it is none of these.
    """
    codec = next((codec for mark, codec in _MARKED if data.startswith(mark)), None) or _without_mark(data)
    if codec is None:
        try:
            data.decode("utf-8")
            return data.removeprefix(b"\xef\xbb\xbf"), ()
        except UnicodeDecodeError as error:
            codec = _guessed(data[: error.start + _LOOK])
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        raise RecipeError(
            f"{where}: is neither UTF-8 nor {codec} at byte {error.start}. Save it as UTF-8."
        ) from error
    # A lone surrogate of UTF-16 text is no text.
    return text.encode("utf-8", "replace").removeprefix(b"\xef\xbb\xbf"), (
        f"The file is in {codec}, not UTF-8, and was read as such.",
    )


def _without_mark(data: bytes) -> str | None:
    """UTF-16 without a mark: every other byte of its ASCII letters is 0."""
    head = data[:_LOOK]
    if not head.count(0) >= len(head) * 0.3:
        return None
    return "utf-16-le" if head[1::2].count(0) > head[0::2].count(0) else "utf-16-be"


def _guessed(data: bytes) -> str:
    runs = re.findall(rb"[\x80-\xff]+", data)
    paired = sum(len(run) % 2 == 0 for run in runs)
    if paired >= 0.7 * len(runs):
        found = {codec: _share(data, codec, letters) for codec, letters in _EAST}
        best = max(found, key=lambda codec: found[codec])
        if found[best] >= 0.5:
            return best
    elif _share(data, "cp932", _KANA) >= 0.3:
        return "cp932"
    return "cp1252" if not re.search(rb"[\x81\x8d\x8f\x90\x9d]", data) else "latin-1"


def _share(data: bytes, codec: str, letters: re.Pattern[str]) -> float:
    """How much of what is not ASCII is such letters, if the text is in this encoding."""
    text = data.decode(codec, "replace")
    other = sum(ord(letter) > 127 for letter in text)
    return len(letters.findall(text)) / other if other else 0.0
