"""Pure functions over scores that say, with numbers, why a reward does not work."""

from salon.diagnose.diagnosis import Diagnosis, diagnose, examine
from salon.diagnose.finding import Finding, Number
from salon.diagnose.reading import Options, read_table
from salon.diagnose.table import Table

__all__ = ["Diagnosis", "Finding", "Number", "Options", "Table", "diagnose", "examine", "read_table"]
