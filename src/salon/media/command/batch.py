"""Many sources to many PNGs, as they come: what `salon render` does."""

import os
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import salon
from salon.errors import RecipeError, boundary
from salon.files.outputs import write_atomic
from salon.markup import encodable, printable
from salon.media import open_medium
from salon.media.metrics import RenderMetrics, metrics_of
from salon.registry import BUILTINS
from salon.types import Failure, Medium, Rendering

from .sources import SUFFIXES, Source

TOGETHER = 32
"""SVGs that are asked for at once; sketches are asked for one by one."""


@dataclass(frozen=True, slots=True)
class Row:
    """What became of one source. `file` is its PNG, `key` the picture's SHA-256; a picture beside a `code` is
    the part that was there when it failed. `seconds` are those of the rendering alone.
    """

    id: str
    origin: str
    medium: str
    seed: int
    file: str | None
    key: str | None
    width: int | None
    height: int | None
    seconds: float
    code: str | None
    message: str
    fault: str | None


@dataclass(slots=True)
class Media:
    """The media that sources want, opened when they are wanted.

    Args:
        name: one for all; "" chooses for each source.
        arguments: per medium; those under "" are for all.
        cache: keep renderings on disk.
    """

    name: str
    arguments: Mapping[str, Mapping[str, Any]]
    cache: bool = False
    opened: dict[str, Medium] = field(default_factory=dict[str, Medium])

    def name_for(self, source: Source) -> str:
        """Which medium renders it."""
        return self.name or source.medium()

    def named(self, name: str) -> Medium:
        """The open medium of this name."""
        if name not in self.opened:
            arguments = {**self.arguments.get("", {}), **self.arguments.get(name, {})}
            self.opened[name] = open_medium(name, self.cache, **arguments)
        return self.opened[name]

    def versions(self) -> dict[str, dict[str, str]]:
        """The versions of each that was opened."""
        return {name: medium.versions() for name, medium in self.opened.items()}

    def metrics(self) -> RenderMetrics:
        """All of them together."""
        return sum((metrics_of(medium) for medium in self.opened.values()), RenderMetrics())

    def close(self) -> None:
        """Close all."""
        for medium in self.opened.values():
            medium.close()


def render_all(sources: Sequence[Source], media: Media, place: Callable[[Source], Path]) -> Iterator[Row]:
    """Render, write the PNGs, and yield a row per source as it is done; never more in hand than is worked on.

    Args:
        sources: what to render.
        media: who renders.
        place: where a source's PNG goes; folders are made.

    Raises:
        RecipeError: a PNG cannot be written.
        SetupError: a medium is not installed.
    """
    for done in rendered(sources, media):
        yield from (_row(source, name, rendering, place) for source, name, rendering in done)


def render_texts(given: Sequence[str | Path], media: Media, seed: int = 0) -> list[Rendering]:
    """Render sources or replies, and files of either, in order; nothing is written.

    Raises:
        RecipeError: a file is not there, or something is neither a text nor a file's path.
        SetupError: a medium is not installed.
    """
    sources = [_source(each, place, seed) for place, each in enumerate(given)]
    found = {source.id: made for done in rendered(sources, media) for source, _, made in done}
    return [found[source.id] for source in sources]


def _source(given: object, place: int, seed: int) -> Source:
    if isinstance(given, str):
        if given.isprintable() and given.lower().endswith(tuple(SUFFIXES)):
            told = f"{given!r} is taken for a source. Where the file is meant, give pathlib.Path({given!r})."
            warnings.warn(told, stacklevel=5)
        return Source(str(place), f"source {place}", seed, given)
    if not isinstance(given, Path):
        what = type(given).__name__
        raise RecipeError(f"a {what} cannot be rendered: give a source or a reply (str), or a pathlib.Path")
    if not os.path.isfile(given):
        raise RecipeError(f"{given} cannot be read: there is no such file")
    return Source(str(place), str(given), seed, path=given)


Rendered = tuple[Source, str, Rendering]


def rendered(sources: Sequence[Source], media: Media) -> Iterator[list[Rendered]]:
    """Each source with its medium's name and what became of it, as they are done."""
    threads = 2 * _cores()
    pending: set[Future[list[Rendered]]] = set()
    executor = ThreadPoolExecutor(threads, thread_name_prefix="salon-render")
    try:
        for name, together in _portions(sources, media):
            # Opened here: from several threads, one medium would be opened twice.
            medium = media.named(name) if name else None
            pending.add(executor.submit(_render, medium, name, together))
            while len(pending) >= threads:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    finally:
        # Not waiting: whoever presses Ctrl-C does not wait for what may never end.
        executor.shutdown(wait=False, cancel_futures=True)


def summary(rows: Sequence[Row], media: Media, seconds: float) -> dict[str, Any]:
    """The report: counts, versions, and a row per source in the order they were given."""
    codes = Counter(row.code for row in rows if row.code)
    numbers = {name: value for name, value in asdict(media.metrics()).items() if name != "failures"}
    return {
        "salon": salon.__version__,
        "versions": media.versions(),
        "rendered": len(rows) - codes.total(),
        "failed": codes.total(),
        "codes": dict(codes.most_common()),
        "seconds": round(seconds, 3),
        "metrics": numbers,
        "items": [_told(row) for row in rows],
    }


def _told(row: Row) -> dict[str, Any]:
    """A row whose texts any encoder takes: ids and the names of files come from strangers."""
    return {
        name: printable(value, 4000) if isinstance(value, str) else value
        for name, value in asdict(row).items()
    }


def _portions(sources: Sequence[Source], media: Media) -> Iterator[tuple[str, list[Source]]]:
    """Sources with their texts, and who renders them: SVGs together, others alone. Those that cannot be read
    have no medium.
    """
    together: list[Source] = []
    for unread in sources:
        source = unread.read()
        name = "" if source.fault else media.name_for(source)
        if name != "svg":
            yield name, [source]
            continue
        together.append(source)
        if len(together) == TOGETHER:
            yield name, together
            together = []
    if together:
        yield "svg", together


def _render(medium: Medium | None, name: str, sources: Sequence[Source]) -> list[Rendered]:
    if medium is None:
        return [(source, name, _failed("unreadable", source.fault)) for source in sources]
    texts = [_read(medium, name, source) for source in sources]
    made: Iterator[Rendering] = iter(())
    good = [index for index, text in enumerate(texts) if isinstance(text, str)]
    with boundary("render") as caught:
        made = iter(medium.render([str(texts[i]) for i in good], [sources[i].seed for i in good]))
    if caught.failure:
        made = iter([Rendering(None, caught.failure)] * len(good))
    return [
        (source, name, next(made) if isinstance(text, str) else Rendering(None, text))
        for source, text in zip(sources, texts, strict=True)
    ]


def _read(medium: Medium, name: str, source: Source) -> str | Failure | None:
    """The source that is to be rendered, or what is wrong with it. Built-in media check while they render."""
    with boundary("extract") as caught:
        text = medium.extract(source.text) if source.is_reply else source.text
        if name in BUILTINS["medium"] or not isinstance(text, str):
            return text
        return medium.check(text) or text
    return caught.failure


def _failed(code: str, message: str) -> Rendering:
    return Rendering(None, Failure(code, message, "system", "extract"))


def _row(source: Source, name: str, rendering: Rendering, place: Callable[[Source], Path]) -> Row:
    picture, failure = rendering.picture, rendering.failure
    file = place(source) if picture else None
    if picture and file:
        _write(file, picture.png)
    return Row(
        id=encodable(source.id),
        origin=printable(source.origin, 1000),
        medium=name,
        seed=source.seed,
        file=str(file) if file else None,
        key=picture.key if picture else None,
        width=picture.width if picture else None,
        height=picture.height if picture else None,
        seconds=round(rendering.seconds, 4),
        code=failure.code if failure else None,
        message=printable(failure.message, 1000) if failure else "",
        fault=failure.fault if failure else None,
    )


def _write(file: Path, png: bytes) -> None:
    try:
        write_atomic(file, png, durable=False)
    except OSError as error:
        raise RecipeError(f"{file} cannot be written: {error.strerror}; choose another with --out") from error


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
