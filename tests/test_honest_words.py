"""What is said of the ratings that ship: one vision–language model gave them, not blind. No text says that
people did, and every text that names the pool or a judge of it says whose ratings they are.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SUFFIXES = {".py", ".md", ".yaml", ".yml", ".html", ".js", ".css", ".json", ".jsonl", ".toml", ".txt", ""}
FOLDERS = ("src", "docs", "recipes", "examples", "benchmarks", "scripts", "tests")

CLAIMS = re.compile(
    r"""
    (?<!no\ )(?:people|persons?|humans?|artists?|the\ (?:project's|salon)\ authors)
      \ (?:have\ |had\ )?(?:rated|ranked|loved|liked|disliked|scored)
    | (?:people|human|artist)(?:'s|s'|s)?\ ratings?\b
    | rated\ by\ (?:people|persons?|humans?|hand|artists?|the\ (?:project's|salon)\ authors)
    | (?:hand|human)-rated
    | (?:what|which)\ people\ (?:liked|loved|found\ decent)
    | ratings?\ (?:of|by|from)\ (?:people|humans?|persons)
    """,
    re.VERBOSE | re.IGNORECASE,
)
NAMED = re.compile(
    r"""
    pool:\ flowers | pools?/flowers | Pool\.load\("flowers" | pairs\ flowers | pool\ `flowers`
    | kind:\ taste | judge:\ (?:taste|heldout) | TasteJudge | flowers-heldout
    | built-in\ pool | embedded\ pool | (?:serve-judge|serve-scorer|--judge)\ taste | `(?:taste|heldout)`
    """,
    re.VERBOSE,
)
TOLD = re.compile(r"vision[–-]language\s+(?:#\s+)?model")
NOT_BLIND = re.compile(r"not\s+(?:#\s+)?blind")


def shipped() -> list[Path]:
    files = [file for file in ROOT.iterdir() if file.is_file()]
    files += [file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if file.is_file()]
    return [file for file in files if file.suffix in SUFFIXES and "__pycache__" not in file.parts]


def words(file: Path) -> str:
    """The text without line breaks, comment marks and Markdown's stars: a claim may run over a line."""
    return re.sub(r"[\s*#>]+", " ", file.read_text(encoding="utf-8", errors="replace"))


def test_no_shipped_text_claims_that_people_rated_the_pool() -> None:
    told = {
        f"{file.relative_to(ROOT)}: {found[0]}"
        for file in shipped()
        if file != Path(__file__)
        for found in CLAIMS.finditer(words(file))
    }
    assert sorted(told) == []


@pytest.mark.parametrize(
    "text",
    [
        "trained on pictures that people rated",
        "a head on people's ratings",
        "198 that people loved or found decent",
        "was rated by the project's authors, by looking",
        "hand-rated pictures",
        "what people liked",
        "learned from human ratings",
        "ratings by people",
    ],
)
def test_the_claims_that_stood_here_once_would_be_found(text: str) -> None:
    assert CLAIMS.search(text)


def named_in() -> list[Path]:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    pages += [*(ROOT / "recipes").rglob("*.yaml"), *(ROOT / "src/salon/data/pools").rglob("*.md")]
    return [page for page in sorted(pages) if NAMED.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", named_in(), ids=lambda page: str(page.relative_to(ROOT)))
def test_whoever_names_the_pool_or_its_judges_says_who_rated(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert TOLD.search(text), "say that one vision–language model rated the pool"
    assert NOT_BLIND.search(text), "say that it was not blind"


def test_there_are_such_pages() -> None:
    names = {page.name for page in named_in()}
    assert {"README.md", "judge-and-pool.md", "measuring-judges.md", "paint.yaml", "taste.yaml"} <= names


def test_the_pools_own_rows_say_it() -> None:
    rows = (ROOT / "src/salon/data/pools/flowers/metadata.jsonl").read_text(encoding="utf-8").splitlines()
    assert all('"rated_by": "one vision-language model, not blind"' in row for row in rows)
    card = (ROOT / "src/salon/data/pools/flowers/README.md").read_text(encoding="utf-8")
    assert "no person" in card
    assert "drawn twice" in card
