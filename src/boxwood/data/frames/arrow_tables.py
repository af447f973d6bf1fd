"""What readers share: importing pyarrow, changing its tables, its columns of text; names and errors as text."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np

from ...errors import NotAvailableError
from ..columns.raw import STRINGS, RawColumn, no_values

#: File names in messages are cut to about this many characters.
_LONGEST_NAME = 200

#: A Parquet file that is read in parts comes by the page: ahead, or by whole columns of its row groups, it takes memory
#: that grows with them.
PARQUET_BY_PAGES = {"pre_buffer": False, "buffer_size": 1 << 16}


def shown_path(path: str | os.PathLike) -> str:
    """A file name for a message: control characters escaped, and only the end of a very long one."""
    text = "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(path))
    return text if len(text) <= _LONGEST_NAME else "..." + text[-_LONGEST_NAME:]


def reason_of(error: OSError) -> str:
    """The reason that the system gives, in lower case."""
    return (error.strerror or str(error)).lower()


def one_line(error: Exception) -> str:
    """The message of an error, in one line that is not too long."""
    return shown_path(" ".join(str(error)[:1000].split()))


def need_pyarrow():
    """The package pyarrow; NotAvailableError without it."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise NotAvailableError("data files need pyarrow; install it with: pip install pyarrow.") from error
    return pa


def is_number_type(kind) -> bool:
    """Whether a type of Arrow is one of numbers."""
    types = need_pyarrow().types
    return types.is_integer(kind) or types.is_floating(kind)


def each_column(table, change: Callable):
    """The table with its columns changed, all at once: each call of ``set_column`` copies the list of columns."""
    pa = need_pyarrow()
    columns = [change(column) for column in table.columns]
    fields = [field.with_type(column.type) for field, column in zip(table.schema, columns, strict=True)]
    return pa.Table.from_arrays(columns, schema=pa.schema(fields, table.schema.metadata))


def decimals_to_floats(table):
    """Decimals and floats of 16 bits become float64, as in CSV."""
    pa = need_pyarrow()

    def as_floats(column):
        odd = pa.types.is_decimal(column.type) or pa.types.is_float16(column.type)
        return column.cast(pa.float64()) if odd else column

    return each_column(table, as_floats)


def from_arrow_text(place: str, column) -> RawColumn | None:
    """A pyarrow column of strings as levels in code point order, as :func:`.objects.from_objects` gives them.

    None for columns of other types.

    Examples
    --------
    >>> import pyarrow as pa
    >>> column = from_arrow_text("Column 'city'", pa.chunked_array([["Wien", None, "北京", "Wien"]]))
    >>> column.levels, column.values.tolist()
    (('Wien', '北京'), [0, -1, 1, 0])
    """
    pa = need_pyarrow()
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return None
    coded = column.combine_chunks().dictionary_encode()
    if isinstance(coded, pa.ChunkedArray):
        coded = coded.combine_chunks()
    found = coded.dictionary.to_pylist()
    if not found:
        return no_values(place, len(column))
    order = sorted(range(len(found)), key=found.__getitem__)
    number = np.empty(len(found) + 1, dtype=np.int32)
    number[order] = np.arange(len(found), dtype=np.int32)
    number[-1] = -1  # what the code of a missing value, -1, looks up
    codes = number[coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)]
    return RawColumn(place, codes, STRINGS, levels=tuple(found[i] for i in order))
