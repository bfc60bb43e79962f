"""The reference pool: seeded draws, contact sheets to rate from, and a pool built from ratings."""

from .build import PoolSummary, Rating, build_pool, load_ratings
from .references import Pool, PoolItem
from .sheet import contact_sheet, write_sheets

__all__ = [
    "Pool",
    "PoolItem",
    "PoolSummary",
    "Rating",
    "build_pool",
    "contact_sheet",
    "load_ratings",
    "write_sheets",
]
