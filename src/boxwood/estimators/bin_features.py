"""boxwood.bin_features: a table of bins for each column, with weight of evidence, information value and points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._typing import ColumnLike, TableLike
from ..algorithms.binning.binning import bin_columns
from ..algorithms.binning.table import BinTable
from ..data.frames.alignment import check_aligned
from ..data.frames.frame import learn_columns
from ..data.frames.weights import with_levels_of_weight
from .response import flat, name_of


def bin_features(
    X: TableLike,
    y: ColumnLike,
    *,
    sample_weight: ColumnLike | None = None,
    target_class: Any = None,
    max_bins: int = 6,
    min_samples_leaf: int | float = 0.05,
    monotone: str | None = None,
    special_values: Any = None,
    missing_values: Any = None,
    categorical_features: Any = "from_dtype",
    points: Sequence[float] | None = None,
) -> BinTable:
    """Bin every column on its own: counts, event rates, weight of evidence (WoE) and information value (IV).

    Values are cut by a CART tree of the column alone; nominal columns get sets of levels. Missing values and each
    special value have bins of their own.

    Parameters
    ----------
    X : table of shape (n, p)
    y : column of n labels
        Of more than two classes, ``target_class`` is compared with all others.
    sample_weight : column of n numbers, optional
    target_class : label, optional
        The event. Default: the rarer of two classes.
    max_bins : int
        Maximum number of bins of values in each column.
    min_samples_leaf : int or float
        Minimum number of rows in a bin of values. A float in (0, 1) is a proportion of the rows with an ordinary value.
    monotone : {"auto", "increasing", "decreasing"}, optional
        Merge neighbouring bins of a numeric, temporal or ordinal column until the event rate rises or falls
        throughout, with the greatest information value; "auto" takes the better direction.
    special_values : text, number, list of these, or dict of column -> such a list, optional
        Values such as -999 that get a bin of their own.
    missing_values : text, number, list of these, or dict of column -> such a list, optional
        Values that mean missing.
    categorical_features : "from_dtype", "all", None, or list of names, of positions or of booleans
        Numeric columns to treat as nominal.
    points : three numbers, optional
        Points to double the odds, base score and base odds (non-events to events), such as ``(20, 600, 50)``.

    Returns
    -------
    BinTable
        ``print`` it, ``to_frame()``, ``to_svg()``, ``to_sql()``, ``transform(X)``.

    Raises
    ------
    ParameterError
        A setting cannot be used, or no event is given where there are more than two classes.
    DataError, DataTypeError
        The data cannot be read, or y has one class.

    Examples
    --------
    >>> import boxwood
    >>> X = boxwood.datasets.load("titanic")
    >>> y = X.pop("survived")
    >>> bins = boxwood.bin_features({"sex": X["sex"]}, y, target_class="yes", points=(20, 600, 50))
    >>> print(bins)
    Bins for y = yes: 416 of 1109 rows; woe is positive where it is rarer.
    Score: 502 and the points of each column, as if these were independent.
    <BLANKLINE>
    sex: information value 1.277
      bin           rows  share  events   rate     woe     iv  points
      sex = male     733  66.1%     140  0.191   0.933  0.484      27
      sex = female   376  33.9%     276  0.734  -1.526  0.792     -44
    """
    check_aligned(X=X, y=y, sample_weight=sample_weight)
    columns = with_levels_of_weight(learn_columns(X, categorical_features, missing_values), sample_weight)
    settings = {
        "target_class": target_class, "max_bins": max_bins, "min_samples_leaf": min_samples_leaf,
        "monotone": monotone, "special_values": special_values, "points": points,
    }  # fmt: skip
    return bin_columns(columns, flat(y), sample_weight, settings, name_of(y))
