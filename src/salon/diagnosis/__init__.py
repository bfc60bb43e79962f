"""Pure functions over scores that say, with numbers, why a reward does not work."""

from salon.diagnosis.reading.open_table import Options, read_table

from .diagnosis import Diagnosis, diagnose, examine
from .finding import Finding, Number
from .table import Table

__all__ = ["Diagnosis", "Finding", "Number", "Options", "Table", "diagnose", "examine", "read_table"]
