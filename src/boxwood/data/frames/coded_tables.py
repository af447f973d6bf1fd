"""Tables after codes for missing values and dropped rows have been applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..columns.matrices import is_pandas
from ..columns.missing_codes import Code, codes_of_columns, matcher, taken_rows, without_codes
from .containers import Container, open_table
from .weights import check_lengths


def open_coded_table(
    X, missing_values, keep: np.ndarray | None = None
) -> tuple[Container, dict[str, tuple[Code, ...]]]:
    """A table whose columns come without their codes, and the codes of each column.

    Parameters
    ----------
    X : table of shape (n, p)
    missing_values : see :func:`.missing_codes.codes_of_columns`
    keep : bool, shape (n,), optional
        The rows to read; None = all.

    Examples
    --------
    >>> from boxwood.data.frames.coded_tables import open_coded_table
    >>> table, codes = open_coded_table({"age": [31, -9], "city": ["Ulm", "?"]}, [-9, "?"])
    >>> table.read(0).values.tolist(), table.read(1).levels
    ([31.0, nan], ('Ulm',))
    """
    if missing_values is not None:
        X = _without_coded_objects(X, missing_values)
    table = open_table(X)
    codes = codes_of_columns(missing_values, table.names)
    if keep is not None:
        check_lengths(table.n, len(keep))

    def read(j: int):
        column = table.read(j)
        column = column if keep is None else taken_rows(column, keep)
        return without_codes(column, codes.get(table.names[j], ()))

    return replace(table, n=table.n if keep is None else int(keep.sum()), read=read), codes


def _without_coded_objects(X, missing_values):
    """The same table; lists and objects, in which texts may stand among numbers, have None for codes."""
    if is_pandas(X):
        names = list(X.columns)
        objects = {name for name, kind in zip(names, X.dtypes, strict=True) if str(kind) == "object"}
    elif isinstance(X, Mapping):
        names, objects = list(X), {name for name, values in X.items() if isinstance(values, (list, tuple))}
    else:
        return X
    if not objects or len(set(names)) != len(names):
        return X
    given = codes_of_columns(missing_values, [str(name) for name in names])
    codes = {name: given[str(name)] for name in objects if str(name) in given}
    if is_pandas(X):
        return X.assign(**{name: _without(X[name], codes[name]) for name in codes if type(name) is str})
    return {name: _without(values, codes[name]) if name in codes else values for name, values in X.items()}


def _without(values, codes: tuple[Code, ...]):
    is_code = matcher(codes)
    found = [None if is_code(value) else value for value in values]
    if not hasattr(values, "iloc"):
        return found
    objects = np.empty(len(found), dtype=object)
    objects[:] = found
    return type(values)(objects, index=values.index)
