"""Pictures as a server is shown them: one format, one paper, one size, made once per picture."""

import base64
import io
import json
import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from PIL import Image

from salon.errors import StageError
from salon.raster import PAPER, decode
from salon.types import Failure, Picture

KEPT = 512


class ImageEncoder:
    """Makes data URLs of pictures, and keeps the last few hundred.

    Whatever the bytes are (PNG, JPEG, WebP, 16-bit, palette, CMYK, translucent), the server gets an opaque
    RGB PNG on `paper`, at most `side` pixels wide and high.
    """

    def __init__(self, side: int = 512, paper: str = PAPER) -> None:
        self._side, self._paper = side, paper
        self._urls: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """What decides the bytes."""
        return f"png {self._side} {self._paper}"

    def url(self, picture: Picture) -> str:
        """The data URL of a picture.

        Raises:
            StageError: unreadable_picture, by the system's fault, when it cannot be decoded.
        """
        with self._lock:
            if picture.key in self._urls:
                self._urls.move_to_end(picture.key)
                return self._urls[picture.key]
        url = self._encode(picture)
        with self._lock:
            self._urls[picture.key] = url
            while len(self._urls) > KEPT:
                self._urls.popitem(last=False)
        return url

    def part(self, picture: Picture) -> dict[str, Any]:
        """The picture as a part of a message."""
        return {"type": "image_url", "image_url": {"url": self.url(picture)}}

    def _encode(self, picture: Picture) -> str:
        try:
            image = decode(picture.png, self._paper)
        except ValueError as error:
            told = f"picture {picture.key[:12]}: {error}"
            raise StageError(Failure("unreadable_picture", told, "system", "judge")) from error
        image.thumbnail((self._side, self._side), Image.Resampling.LANCZOS)
        buffer = io.BytesIO()
        image.save(buffer, "PNG")
        return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"


_MARK = secrets.token_hex(8)


def encoded(body: Mapping[str, Any]) -> bytes:
    """A request as JSON. Pictures are put in afterwards: the encoder would look at each of their characters,
    a hundred thousand or so, at every question.
    """
    urls: list[str] = []
    messages = [_marked(message, urls) for message in body.get("messages", [])]
    data = as_json({**body, "messages": messages})
    for number, url in enumerate(urls):
        data = data.replace(f"{_MARK}-{number}-".encode(), url.encode())
    return data


def as_json(value: Any) -> bytes:
    """JSON in UTF-8. Half a surrogate pair, which strict servers refuse, goes as a question mark."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def _marked(message: Mapping[str, Any], urls: list[str]) -> Mapping[str, Any]:
    """The message with a mark in place of each data URL, which goes to the end of `urls`."""
    content = message.get("content")
    if not isinstance(content, list):
        return message
    parts: list[Any] = []
    for part in content:
        url = part.get("image_url", {}).get("url", "") if isinstance(part, dict) else ""
        # base64 needs no escapes in JSON; anybody else's URL goes the usual way.
        if url.startswith("data:image/png;base64,"):
            parts.append({"type": "image_url", "image_url": {"url": f"{_MARK}-{len(urls)}-"}})
            urls.append(url)
        else:
            parts.append(part)
    return {**message, "content": parts}
