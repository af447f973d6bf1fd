"""Settings of the whole library: how the columns of new rows are found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ..errors import check_one_of

_SAME, _BY_NAME = "same", "by_name"
#: Of the contexts of ``config_context``; None = as ``set_config`` has it.
_here: ContextVar[str | None] = ContextVar("boxwood_columns", default=None)
_everywhere = _SAME


def set_config(*, columns: str) -> None:
    """Set how estimators match the columns of new rows, in all threads of this process.

    Parameters
    ----------
    columns : {"same", "by_name"}
        "same" (the default): new rows must have the columns of fit in the same order, as in scikit-learn. "by_name":
        columns are matched by name, in any order, and other columns are ignored. In either case, rows without column
        names, such as arrays, need the columns of fit.

    Raises
    ------
    ParameterError
        ``columns`` has another value.

    Examples
    --------
    >>> import boxwood
    >>> model = boxwood.CARTRegressor(pruning=None).fit({"age": [20, 30], "fare": [7, 8]}, [1, 2])
    >>> boxwood.set_config(columns="by_name")
    >>> model.predict({"name": ["Li"], "fare": [8], "age": [31]}).tolist()
    [2.0]
    >>> boxwood.set_config(columns="same")
    """
    global _everywhere
    check_one_of("columns", columns, (_SAME, _BY_NAME))
    _everywhere = columns


@contextmanager
def config_context(*, columns: str) -> Iterator[None]:
    """Set how estimators match the columns of new rows within a block, in this thread or task.

    Parameters
    ----------
    columns : {"same", "by_name"}
        See :func:`set_config`, which also lists the errors.

    Yields
    ------
    None

    Examples
    --------
    >>> import boxwood
    >>> model = boxwood.CARTRegressor(pruning=None).fit({"age": [20, 30], "fare": [7, 8]}, [1, 2])
    >>> with boxwood.config_context(columns="by_name"):
    ...     model.predict({"fare": [8], "age": [31]}).tolist()
    [2.0]
    """
    check_one_of("columns", columns, (_SAME, _BY_NAME))
    before = _here.set(columns)
    try:
        yield
    finally:
        _here.reset(before)


def finds_by_name() -> bool:
    """Whether estimators find columns by name just now."""
    return (_here.get() or _everywhere) == _BY_NAME
