"""Tables of several files as one."""

from __future__ import annotations

from ...errors import ColumnError, FileError
from ..columns.names import listed
from ..frames.arrow_tables import need_pyarrow, one_line


def stacked(tables: list, paths: list[str]):
    """The rows of several files, one file below the other; columns in the order of the first.

    Raises
    ------
    ColumnError
        A file has other columns than the first.
    FileError
        A column holds text in one file, and numbers in another one.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from boxwood.data.files.stacked import stacked
    >>> stacked([pa.table({"x": [1], "y": ["a"]}), pa.table({"y": ["b"], "x": [0.5]})], ["a.csv", "b.csv"]).to_pydict()
    {'x': [1.0, 0.5], 'y': ['a', 'b']}
    """
    pa = need_pyarrow()
    names, chosen = tables[0].column_names, tables[:1]
    for table, path in zip(tables[1:], paths[1:], strict=True):
        check_same(table.column_names, names, path, paths[0])
        chosen.append(table.select(names))
        try:
            pa.unify_schemas([chosen[0].schema, chosen[-1].schema], promote_options="permissive")
        except pa.ArrowException as error:
            raise FileError(f"{path} and {paths[0]} hold values of different kinds: {one_line(error)}.") from error
    return pa.concat_tables(chosen, promote_options="permissive")


def check_same(names: list[str], expected: list[str], place: str, first: str) -> None:
    """Refuse a file or batch that has other columns than the first; their order does not matter."""
    here, wanted = set(names), set(expected)
    missing, extra = [c for c in expected if c not in here], [c for c in names if c not in wanted]
    if missing:
        raise ColumnError(
            f"{place} lacks the column(s) {listed(missing)}, which {first} has; give all parts the same columns."
        )
    if extra:
        raise ColumnError(
            f"{place} has the column(s) {listed(extra)}, which {first} lacks; give all parts the same columns."
        )
