"""What readers of files share: importing pyarrow, changing tables column by column, names and errors as text."""

from __future__ import annotations

import os
from collections.abc import Callable

from ...errors import NotAvailableError

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
