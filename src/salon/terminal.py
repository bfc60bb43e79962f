"""The console that commands write to: no escape that a stranger put into a text runs there."""

from typing import TYPE_CHECKING

from salon.markup import visible

if TYPE_CHECKING:
    from rich.console import Console


def console(stderr: bool = False, quiet: bool = False) -> "Console":
    """A console that shows every text as it is `visible`: only its own styles and movements are escapes. A
    quiet one shows nothing.
    """
    from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
    from rich.segment import Segment

    class Shown:
        def __init__(self, inner: ConsoleRenderable) -> None:
            self.inner = inner

        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            for each in console.render(self.inner, options):
                yield each if each.control else Segment(visible(each.text), each.style)

    class Visible(RenderHook):
        def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
            return [Shown(each) for each in renderables]

    made = Console(stderr=stderr, quiet=quiet)
    made.push_render_hook(Visible())
    return made
