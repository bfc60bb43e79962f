"""The pictures of the page: small, inside it, and each stored once."""

import base64
import io
from dataclasses import dataclass, field

from PIL import Image

from salon.errors import StoreError
from salon.markup import Html, el
from salon.raster import decode
from salon.store.runs import Run

MOST_PIXELS = 40_000_000

_NOTHING: dict[tuple[str, int], str | None] = {}


@dataclass(slots=True)
class Thumbnails:
    """Thumbnails of a run's pictures by (key, size), each made once."""

    run: Run
    _kept: dict[tuple[str, int], str | None] = field(default_factory=lambda: _NOTHING.copy())

    def uri(self, key: str | None, size: int) -> str | None:
        """The picture `key`, at most `size` pixels a side, as a data URI; None when it is not in the run."""
        if key is None:
            return None
        if (key, size) not in self._kept:
            self._kept[key, size] = _thumbnail(self.run, key, size)
        return self._kept[key, size]


def frame(uri: str | None, failure: str | None, name: str) -> Html:
    """A picture on its mat, or an empty frame that says why there is none."""
    if uri:
        inside = el("img", {"src": uri, "alt": name, "decoding": "async"})
    else:
        reason = el("code", {}, (failure or "").replace("_", " "))
        inside = el("span", {"class": "empty"}, "no picture", reason)
    return el("span", {"class": f"frame {name}"}, inside)


def _thumbnail(run: Run, key: str, size: int) -> str | None:
    try:
        # PNG, JPEG and WebP alone, by what the bytes are: of other formats Pillow starts other programs.
        image = decode(run.read_picture(key), most_pixels=MOST_PIXELS)
    except (ValueError, StoreError):
        return None
    image.thumbnail((size, size), Image.Resampling.LANCZOS)
    return _webp_uri(image)


def _webp_uri(image: Image.Image) -> str:
    file = io.BytesIO()
    image.save(file, "WEBP", quality=78, method=2)
    return "data:image/webp;base64," + base64.b64encode(file.getvalue()).decode("ascii")
