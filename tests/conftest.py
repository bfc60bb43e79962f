"""What all tests share: `import painted` works from any folder, and there is one painted pool per session."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))
# Recipes of the tests may use the tests' own modules.
os.environ["SALON_ALLOW"] = ",".join(sorted(file.stem for file in Path(__file__).parent.rglob("*.py")))

# A busy machine makes an example slow, and nothing wrong.
settings.register_profile("salon", deadline=None)
settings.load_profile("salon")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Renderings of the tests are kept apart from the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SALON_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def painted_pool_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pool of 60 painted pictures, 20 of each tier, 12 of them held out. Read it, do not write to it."""
    from painted import painted_pool

    return painted_pool(tmp_path_factory.mktemp("painted"))
