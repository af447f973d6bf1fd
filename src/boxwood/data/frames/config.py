"""Settings of the whole library: how columns and rows of tables are matched, and which tables are kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ...errors import check_one_of

_CHOICES = {"columns": ("same", "by_name"), "align": ("error", "ignore"), "repeated": ("keep", "read")}
#: Of the contexts of ``config_context``, beside which the settings of ``set_config`` hold.
_here: ContextVar[dict[str, str] | None] = ContextVar("boxwood_config", default=None)
_everywhere = {name: choices[0] for name, choices in _CHOICES.items()}


def set_config(*, columns: str | None = None, align: str | None = None, repeated: str | None = None) -> None:
    """Set how estimators match columns and rows and what they keep of repeated arrays, in all threads of this process.

    Parameters
    ----------
    columns : {"same", "by_name"}, optional
        "same" (the default): new rows must have the columns of fit in the same order, as in scikit-learn. "by_name":
        columns are matched by name, in any order, and other columns are ignored. In either case, rows without column
        names, such as arrays, need the columns of fit. None leaves the setting as it is.
    align : {"error", "ignore"}, optional
        "error" (the default): X, y and weights of pandas whose indexes have the same labels in another order are
        refused, since rows are joined by position. "ignore": the labels are not looked at. None leaves the setting as
        it is.
    repeated : {"keep", "read"}, optional
        "keep" (the default): an array of 65,536 values to 128 MB that is given to ``fit`` a second time is copied, and
        the copy is kept with its codes while the array exists, for the last two such arrays. Later fits compare the
        array with the copy instead of reading and coding it. "read": every fit reads. None leaves the setting as it is.

    Raises
    ------
    ParameterError
        A setting has another value.

    Examples
    --------
    >>> import boxwood
    >>> model = boxwood.CARTRegressor(pruning=None).fit({"age": [20, 30], "fare": [7, 8]}, [1, 2])
    >>> boxwood.set_config(columns="by_name")
    >>> model.predict({"name": ["Li"], "fare": [8], "age": [31]}).tolist()
    [2.0]
    >>> boxwood.set_config(columns="same")
    """
    _everywhere.update(_checked({"columns": columns, "align": align, "repeated": repeated}))


@contextmanager
def config_context(
    *, columns: str | None = None, align: str | None = None, repeated: str | None = None
) -> Iterator[None]:
    """Set how estimators match columns and rows and what they keep within a block, in this thread or task.

    Parameters
    ----------
    columns : {"same", "by_name"}, optional
    align : {"error", "ignore"}, optional
    repeated : {"keep", "read"}, optional
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
    given = _checked({"columns": columns, "align": align, "repeated": repeated})
    before = _here.set((_here.get() or {}) | given)
    try:
        yield
    finally:
        _here.reset(before)


def _checked(given: dict[str, str | None]) -> dict[str, str]:
    """The settings that are given."""
    found = {name: value for name, value in given.items() if value is not None}
    for name, value in found.items():
        check_one_of(name, value, _CHOICES[name])
    return found


def _setting(name: str) -> str:
    return (_here.get() or _everywhere).get(name, _everywhere[name])


def finds_by_name() -> bool:
    """Whether estimators find columns by name just now."""
    return _setting("columns") == "by_name"


def checks_labels() -> bool:
    """Whether the order of index labels is compared just now."""
    return _setting("align") == "error"


def keeps_repeated() -> bool:
    """Whether arrays that are given repeatedly are kept just now."""
    return _setting("repeated") == "keep"
