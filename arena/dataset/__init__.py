"""Games as tidy tables, one row for one thing, which pandas, DuckDB and their like read and join.

What each column means stands in ``prompts/<language>/dataset.yaml``.

======== ==============================================================================
columns  the tables and their columns
source   which transcripts a path means
rows     the rows of one game
write    files of them
======== ==============================================================================
"""

from arena.dataset.columns import TABLES
from arena.dataset.write import write_tables

__all__ = ["TABLES", "write_tables"]
