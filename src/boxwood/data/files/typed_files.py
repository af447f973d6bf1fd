"""Files with typed columns as Arrow tables: Feather and other Arrow files, ORC, JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from ..._free_memory import raise_if_ran_out
from ...errors import FileError
from ..frames.arrow_tables import decimals_to_floats, each_column, need_pyarrow, one_line
from .file_kinds import ARROW_FILE, ORC

_SHOWN = {ORC: "an ORC file"}
#: Beyond it, a float64 does not hold every whole number.
_WHOLE = 2.0**53


@contextmanager
def _named(kind: str, name: str) -> Iterator[None]:
    """Errors of Arrow about a file as ours."""
    pa = need_pyarrow()
    try:
        yield
    except (pa.ArrowException, OSError, KeyError, UnicodeDecodeError) as error:
        raise_if_ran_out(error)
        shown = _SHOWN.get(kind, "an Arrow file")
        raise FileError(f"{name} starts like {shown} but cannot be read as one; it may be cut short.") from error


def typed_names(source, kind: str, name: str) -> list[str]:
    """Names of the columns of a file; see :func:`typed_tables`."""
    pa = need_pyarrow()
    with _named(kind, name):
        if kind == ORC:
            from pyarrow import orc

            return list(orc.ORCFile(source).schema.names)
        if kind == ARROW_FILE:
            return list(pa.ipc.open_file(source).schema.names)
    return next(typed_tables(source, kind, name)).column_names


def typed_tables(
    source, kind: str, name: str, columns: list[str] | None = None, exact: Collection[str] = ()
) -> Iterator:
    """Tables of some columns of a file, one after the other, at least one.

    Parameters
    ----------
    source : path or pyarrow.BufferReader
    kind : {"orc", "arrow", "arrow stream"}
    name : str
        What messages call it.
    columns : list of str, optional
        None = all.
    exact : collection of str
        Columns whose decimals are kept.

    Raises
    ------
    FileError
        It cannot be read.
    """
    pa = need_pyarrow()
    with _named(kind, name):
        if kind == ORC:
            parts, schema = _of_orc(source)
        else:
            parts, schema = _of_ipc(source, kind)
        empty = True
        for part in parts:
            empty = False
            table = pa.Table.from_batches([part])
            yield plain(table if columns is None else table.select(columns), exact)
        if empty:
            found = schema.empty_table()
            yield plain(found if columns is None else found.select(columns), exact)


def as_whole(column):
    """An array of floats that all are whole numbers as integers; others as they are."""
    pa = need_pyarrow()
    from pyarrow import compute

    if not pa.types.is_floating(column.type):
        return column
    ends = compute.min_max(column).as_py()
    if ends["min"] is None or max(-ends["min"], ends["max"]) > _WHOLE:
        return column
    return column.cast(pa.int64()) if compute.all(compute.equal(column, compute.floor(column))).as_py() else column


def write_arrow(table, path: str) -> None:
    """Write a table as an Arrow file, which is read in parts."""
    pa = need_pyarrow()
    with pa.ipc.new_file(path, table.schema) as file:
        file.write_table(table)


def _of_orc(source):
    from pyarrow import orc

    file = orc.ORCFile(source)
    return (file.read_stripe(i) for i in range(file.nstripes)), file.schema


def _of_ipc(source, kind: str):
    pa = need_pyarrow()
    if kind == ARROW_FILE:
        file = pa.ipc.open_file(source)
        return (file.get_batch(i) for i in range(file.num_record_batches)), file.schema
    reader = pa.ipc.open_stream(source)
    return reader, reader.schema


def plain(table, exact: Collection[str] = ()):
    """A table without types that few programs read: decimals and short floats are floats, views are text.

    Decimals of the columns ``exact`` stay decimals.

    Raises
    ------
    pyarrow.ArrowInvalid
        Its arrays contradict themselves: Arrow reads a damaged file as it is, and code that trusts an offset outside
        of its text ends the process.
    """
    pa = need_pyarrow()
    table.validate(full=True)

    def as_text(column):
        if not pa.types.is_string_view(column.type):
            return column
        try:
            return column.cast(pa.large_string())
        except pa.ArrowNotImplementedError:  # pyarrow before 18 casts no views
            return pa.chunked_array([column.to_pylist()], pa.large_string())

    found = each_column(decimals_to_floats(table), as_text)
    for j, name in enumerate(table.column_names):
        if name in exact and pa.types.is_decimal(table.column(j).type):
            found = found.set_column(j, name, table.column(j))
    return found


def read_json(data: bytes, name: str, exact: Callable[[list[str]], Collection[str]] | None = None):
    """A file of JSON as a table: an object a line, or one list of objects.

    Parameters
    ----------
    data : bytes
        UTF-8.
    name : str
        What messages call it.
    exact : callable, optional
        Names of the columns -> those in which whole numbers of any length are kept, as decimals.

    Raises
    ------
    FileError
        It cannot be read.
    """
    pa = need_pyarrow()
    found = json_lines(data, name, exact)
    if found.num_rows == 1 and any(pa.types.is_nested(kind) for kind in found.schema.types):
        raise FileError(
            f"{name} is one JSON object with its columns or rows inside; write an object a line, or a list of objects "
            "(in pandas: to_json(orient='records', lines=True))."
        )
    return found


def json_lines(data: bytes, name: str, exact: Callable[[list[str]], Collection[str]] | None = None):
    """The table of :func:`read_json`, whose only row may hold lists."""
    pa = need_pyarrow()

    try:
        if data.lstrip().startswith(b"["):
            data = b"\n".join(json.dumps(row).encode() for row in json.loads(data))
        found = plain(_parsed(data, {}))
        names = set() if exact is None else set(found.column_names).intersection(exact(found.column_names))
        long = {name: pa.decimal128(38) for name in names if _may_be_cut(found.column(name))}
        return plain(_parsed(data, long), long) if long else found
    except (pa.ArrowException, ValueError, AttributeError, RecursionError) as error:
        raise_if_ran_out(error)
        why = "it is nested too deeply" if isinstance(error, RecursionError) else one_line(error)
        why = "a whole number in it has too many digits" if "set_int_max_str_digits" in why else why
        raise FileError(f"{name} cannot be read as JSON lines (an object a line): {why}.") from error


def _parsed(data: bytes, types: dict):
    """An object a line as Arrow reads it, some columns with given types."""
    pa = need_pyarrow()
    from pyarrow import json as arrow_json

    whole = arrow_json.ReadOptions(use_threads=False, block_size=len(data) + 1)
    given = arrow_json.ParseOptions(explicit_schema=pa.schema(list(types.items())))
    return arrow_json.read_json(pa.BufferReader(data), read_options=whole, parse_options=given)


def _may_be_cut(column) -> bool:
    """Whether floats were all whole numbers, some of them too long for a float64."""
    pa = need_pyarrow()
    from pyarrow import compute

    if not pa.types.is_floating(column.type) or not compute.all(compute.equal(column, compute.floor(column))).as_py():
        return False
    largest = compute.max(compute.abs(column)).as_py()
    return largest is not None and _WHOLE <= largest < 1e38
