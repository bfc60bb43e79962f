"""What the tests of attacks are given."""

from collections.abc import Iterator

import pytest
from attacking import CONTROL, png
from listening import Listener, listening
from unchecked import Unchecked


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    with listening(["all"]) as listeners:
        yield listeners["all"]


@pytest.fixture(scope="module")
def control() -> bytes:
    """The control sketch's bytes on a worker that has seen nothing else."""
    medium = Unchecked(workers=1)
    try:
        return png(medium.render([CONTROL], [5])[0])
    finally:
        medium.close()
