"""A table as a Parquet file, in which each column says what it means."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from arena.dataset.columns import Row, Type

_TYPES: Mapping[Type, pa.DataType] = {
    "text": pa.string(),
    "texts": pa.list_(pa.string()),
    "whole": pa.int64(),
    "number": pa.float64(),
    "yes_no": pa.bool_(),
    "seats": pa.list_(pa.int64()),
    "beliefs": pa.list_(pa.struct([("seat", pa.int64()), ("werewolf", pa.float64())])),
}


class ParquetSheet:
    """The Parquet file `path` of a table with `columns`, open for writing; `words` describe them."""

    def __init__(self, path: Path, columns: Mapping[str, Type], words: Mapping[str, str]) -> None:
        self._schema = pa.schema(
            [pa.field(name, _TYPES[kind], metadata={"description": words[name]}) for name, kind in columns.items()]
        )
        self._writer = pq.ParquetWriter(path, self._schema)

    def write(self, batch: Sequence[Row]) -> None:
        """As `Sheet` says."""
        self._writer.write_table(pa.Table.from_pylist(list(batch), schema=self._schema))

    def close(self) -> None:
        """As `Sheet` says."""
        self._writer.close()
