"""The head of an HTTP/1 request, read as strictly as RFC 9112 lets a server be.

Where two readers can understand one request differently, somebody can hide a second request in it. So what is
written in two ways is refused: two lengths, a length beside chunks, a line that goes on in the next one,
lines that end in LF alone, white space before a colon.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

MOST_BYTES = 16_384
MOST_FIELDS = 100
_REQUEST = re.compile(rb"([A-Z]{1,20}) (/[!-~]{0,2000}) HTTP/(\d)\.(\d)")
_FIELD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t -~\x80-\xff]*)")
_ONCE = frozenset(
    ("content-length", "transfer-encoding", "host", "authorization", "content-type", "expect", "origin")
)


class BadHead(Exception):
    """A head that is refused, with the status to refuse it by."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Head:
    """A request's head. fields: by their names in small letters. minor: 0 or 1, of HTTP/1."""

    method: str
    path: str
    minor: int
    fields: Mapping[str, str]

    @property
    def length(self) -> int | None:
        """Bytes of the body; None where no length is given."""
        given = self.fields.get("content-length")
        return None if given is None else int(given)

    @property
    def stays_open(self) -> bool:
        """Whether the client means to ask again on this connection."""
        wish = self.fields.get("connection", "").lower()
        return self.minor == 1 and "close" not in wish


def parse_head(data: bytes) -> Head:
    """The head in `data`, which has no empty line at its end any more.

    Raises:
        BadHead: it is none, or can be read in two ways.
    """
    first, *lines = check_lines(data).split(b"\r\n")
    asked = _REQUEST.fullmatch(first)
    if asked is None:
        raise BadHead("the first line is no `METHOD /path HTTP/1.1`")
    method, path, major, minor = asked.groups()
    if major != b"1" or minor not in (b"0", b"1"):
        raise BadHead("only HTTP/1.0 and HTTP/1.1 are spoken here", 505)
    if len(lines) > MOST_FIELDS:
        raise BadHead(f"more than {MOST_FIELDS} header lines", 431)
    fields: dict[str, str] = {}
    for line in lines:
        name, value = _field(line)
        if name in fields and name in _ONCE:
            raise BadHead(f"{name} is there twice")
        fields[name] = f"{fields[name]}, {value}" if name in fields else value
    _check_length(fields)
    if minor == b"1" and "host" not in fields:
        raise BadHead("there is no Host")
    return Head(method.decode(), path.decode(), int(minor), fields)


def check_lines(data: bytes) -> bytes:
    """`data`, where each of its lines ends in CR LF, also while the rest is still to come.

    Raises:
        BadHead: a CR or an LF stands alone, or it is too long.
    """
    if len(data) > MOST_BYTES:
        raise BadHead(f"the head is longer than {MOST_BYTES} bytes", 431)
    bare = data.removesuffix(b"\r").replace(b"\r\n", b"")
    if b"\n" in bare or b"\r" in bare:
        raise BadHead("a line ends in CR or LF alone")
    return data


def _field(line: bytes) -> tuple[str, str]:
    if line[:1] in (b" ", b"\t"):
        raise BadHead("a header goes on in the next line, which nobody sends any more")
    found = _FIELD.fullmatch(line)
    if found is None:
        raise BadHead("a header is no `Name: value`")
    return found[1].decode().lower(), found[2].strip(b" \t").decode("latin-1")


def _check_length(fields: Mapping[str, str]) -> None:
    if "transfer-encoding" in fields:
        raise BadHead("Transfer-Encoding is not taken: send the body with a Content-Length")
    length = fields.get("content-length")
    if length is not None and not (length.isascii() and length.isdigit() and len(length) < 16):
        raise BadHead("the Content-Length is no number of bytes")
