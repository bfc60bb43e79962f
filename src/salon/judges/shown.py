"""Pictures as a server is shown them: one format, one paper, one size, made once per picture."""

import base64
import io
import threading
from collections import OrderedDict
from typing import Any

from PIL import Image

from salon.raster import PAPER, decode
from salon.types import Picture

KEPT = 512


class Shown:
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
        """The data URL of a picture. Raises ValueError when it cannot be decoded."""
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
        image = decode(picture.png, self._paper)
        image.thumbnail((self._side, self._side), Image.Resampling.LANCZOS)
        buffer = io.BytesIO()
        image.save(buffer, "PNG")
        return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"
