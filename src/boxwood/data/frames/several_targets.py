"""Several responses in one container: its columns with their names, read as classes or numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ..._messages import Column, Setting
from ...errors import ResponseError
from ..columns.raw import RawColumn
from .arrays import holds_several
from .containers import as_table, by_columns

Read = TypeVar("Read")


def named_columns(y: Any) -> dict[str, RawColumn] | None:
    """The columns of a y of two or more columns by their names, "y0", "y1", ... where it has none; None for one column.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.data.frames.several_targets import named_columns
    >>> list(named_columns({"身長": [1.5, 1.8], "weight": [50, 80]})), list(named_columns(np.zeros((3, 2))))
    (['身長', 'weight'], ['y0', 'y1'])
    >>> named_columns([1, 2, 3]) is None, named_columns(np.zeros((3, 1))) is None
    (True, True)
    """
    if not _has_columns(y):
        return None
    table = as_table(y)
    names = table.names if table.named else _unnamed(len(table.names))
    return {name: table.column(j) for j, name in enumerate(names)}


def columns_of_fit(y: Any, names: list[str]) -> dict[str, RawColumn]:
    """The columns of a y that has those of a fit; of an array, in their order.

    Raises
    ------
    ResponseError
    """
    found = named_columns(y)
    has_names = found is not None and list(found) != _unnamed(len(found))
    if found is not None and not has_names and len(found) == len(names):
        return dict(zip(names, found.values(), strict=True))
    if found is None or not has_names or not (set(names) <= set(found)):
        given = "one column" if found is None else ", ".join(map(repr, found))
        raise ResponseError(
            Setting("y"), f" must have the columns of fit, {', '.join(map(repr, names))}; got {given}."
        )  # fmt: skip
    return {name: found[name] for name in names}


def _unnamed(count: int) -> list[str]:
    return [f"y{j}" for j in range(count)]


def _has_columns(y: Any) -> bool:
    y = by_columns(y)
    if isinstance(y, Mapping):
        return len(y) > 1
    if isinstance(y, (list, tuple)):
        return len(y) > 0 and bool(holds_several(y[0])) and len(y[0]) > 1
    shape = getattr(y, "shape", None)
    return isinstance(shape, tuple) and len(shape) == 2 and shape[1] > 1


def each_read(columns: dict[str, RawColumn], read: Callable[[str, RawColumn], Read]) -> list[Read]:
    """What is read of each response; an error names the response.

    Raises
    ------
    ResponseError
    """
    found = []
    for name, column in columns.items():
        try:
            found.append(read(name, column))
        except ResponseError as error:
            raise ResponseError(Column(name, "response"), ": ", error.message) from None
    return found
