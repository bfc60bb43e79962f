"""salon: reward engineering for models that make pictures."""

__version__ = "0.1.0"
