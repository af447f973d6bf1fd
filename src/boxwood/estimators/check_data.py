"""boxwood.check_data: a look at a table before a tree is grown from it."""

from __future__ import annotations

from typing import Any

from .._messages import must_be
from .._typing import ColumnLike, TableLike
from ..data.frames.alignment import check_aligned
from ..data.frames.frame import learn_columns
from ..data.frames.weights import check_lengths
from ..errors import ParameterError
from ..evaluation.data_check.check import check_columns, kinds_collected, target_of
from ..evaluation.data_check.result import DataCheck
from ..learning.suggested_task import suggested_task
from .response import flat, name_of


def check_data(
    X: TableLike,
    y: ColumnLike | None = None,
    *,
    against: TableLike | None = None,
    task: str | None = None,
    categorical_features: Any = "from_dtype",
    missing_values: Any = None,
    numeric_features: Any = None,
    date_formats: Any = None,
) -> DataCheck:
    """Check a table for what makes trees wrong or misleading, and compare it with newer rows.

    Each finding names the column, how much, and what to do: copies and consequences of the target, time under
    observation that would predict an event, values that may mean missing, several spellings of a word, codes that would
    be read as numbers, columns of a doubtful kind, identifiers, constants, columns that are mostly missing, duplicate
    rows; of newer rows, drift, unseen levels and columns that they lack.

    Parameters
    ----------
    X : table of shape (n, p)
    y : column of n labels or numbers, optional
    against : table, optional
        Newer rows with the columns of X.
    task : {"classification", "regression"}, optional
        By default, text, true/false and up to 10 different integers are classes.
    categorical_features, missing_values, numeric_features, date_formats
        As in the estimators.

    Returns
    -------
    DataCheck
        ``print`` it, ``to_frame()``, ``to_html()``.

    Raises
    ------
    ParameterError
        There is no such task.
    DataError, DataTypeError
        The data cannot be read.

    Examples
    --------
    >>> import boxwood
    >>> X = {"age": [31, 44, 25, -999] * 10, "town": ["Ulm", "ulm", "Bonn", "Ulm"] * 10}
    >>> X["age"] = [a + i if a > 0 else a for i, a in enumerate(X["age"])]
    >>> found = boxwood.check_data(X, [True, False] * 20)
    >>> [(f.kind, f.column, f.amount) for f in found.findings]
    [('sentinel', 'age', 10), ('spellings', 'town', 10)]
    >>> found.findings[0].remedy
    "missing_values={'age': [-999]}"
    """
    if task not in (None, "classification", "regression"):
        raise ParameterError(must_be("task", "'classification', 'regression' or None", task))
    check_aligned(X=X, **({} if y is None else {"y": y}))
    with kinds_collected() as warned:
        columns = learn_columns(X, categorical_features, missing_values, None, numeric_features, date_formats)
    target = None
    if y is not None:
        y = flat(y)
        target = target_of(y, task or suggested_task(y), name_of(y))
        check_lengths(columns.n, len(target.column.group))
    return check_columns(columns, target, against, warned)
