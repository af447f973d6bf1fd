"""boxwood.diff: what changed between two models, segment by segment."""

from __future__ import annotations

from typing import Any

from .._messages import Setting, must_be, remedy
from .._typing import ColumnLike, TableLike
from ..data.frames.alignment import check_aligned
from ..data.frames.frame import read_columns
from ..errors import ParameterError, ParameterTypeError
from ..model.applied_tree import AppliedTree, HoldsTree
from ..model.diff.diff import Diff, diff_of
from .response import flat


def diff(a: Any, b: Any, X: TableLike | None = None, y: ColumnLike | None = None) -> Diff:
    """Compare two trees by the rows that get another answer.

    The trees are compared by the values that rows may have, not by the numbers of their nodes: for each part of the
    first tree it is looked up where the second sends its rows, with missing values, surrogates and new levels. Parts
    with the same change are joined. So the result is the same for trees that are built differently but predict alike:
    it is empty.

    Parameters
    ----------
    a, b : estimator or Tree
        The earlier and the later model. They may have other features, levels and classes; both predict classes, or both
        numbers.
    X : table of shape (n, p), optional
        Rows to count, with the features of both.
    y : column of n values, optional
        With X: compares the errors of both models where their answers differ.

    Returns
    -------
    Diff
        Print it, or use ``segments``, ``to_frame()``, ``to_html()`` and ``to_dict()``; ``apply(a)`` predicts as b does.

    Raises
    ------
    ParameterTypeError, ParameterError
        A model has no tree with constant leaves, or y comes without X.
    NotFittedError
        A model is not fitted.
    DataError
        The models cannot be compared, or the data do not match them; the message names the feature.

    Examples
    --------
    >>> import boxwood
    >>> X, y = {"area": [30, 40, 60, 90]}, [300, 380, 600, 800]
    >>> old = boxwood.CARTRegressor(max_depth=1, pruning=None).fit(X, y)
    >>> new = boxwood.CARTRegressor(pruning=None).fit(X, y)
    >>> print(boxwood.diff(old, new, X, y))
    4 of 4 rows (100.0 %) get another answer.
      1. 50 < area <= 75: 700 → 600 (-100); 1 row (25.0 %); squared error 10,000 → 0.000
      2. area > 75: 700 → 800 (+100); 1 row (25.0 %); squared error 10,000 → 0.000
      3. area <= 35: 340 → 300 (-40); 1 row (25.0 %); squared error 1,600 → 0.000
      4. 35 < area <= 50: 340 → 380 (+40); 1 row (25.0 %); squared error 1,600 → 0.000
    """
    if y is not None and X is None:
        raise ParameterError(Setting("y"), " needs rows; ", remedy("give ", Setting("X"), " as well"), ".")
    found = diff_of(_tree_of("a", a), _tree_of("b", b))
    if X is None:
        return found
    check_aligned(X=X, y=y)
    columns = read_columns(X, found.schema, "this diff", match="name")
    return found.with_sums(found.sums_of(columns, None if y is None else flat(y)))


def _tree_of(name: str, model: Any) -> AppliedTree:
    """The tree of a model, with its policies."""
    if not isinstance(model, HoldsTree):
        raise ParameterTypeError(must_be(name, "a fitted tree estimator or a Tree", model))
    return model._used()
