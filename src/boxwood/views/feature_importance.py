"""The importances of the features: numbers in the order of the columns that print as a ranking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .row_table import RowTable


class FeatureImportance:
    """The importance of each feature: print it, use ``importance["age"]`` or ``to_frame()``, or convert it to an array.

    Attributes
    ----------
    names : tuple of str, length p
        Names of the features in column order.
    values : float64, shape (p,)
        Their importances in the same order; ``numpy.asarray`` returns them.
    ranked : RowTable
        Rows with ``feature`` and ``importance``, the largest importance first; ties by column order.

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> X, y = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}, [0, 1, 3, 4]
    >>> found = CARTRegressor(pruning=None).fit(X, y).importance()
    >>> print(found)
    feature  importance
    a            0.9000
    b            0.1000
    >>> found["b"], found.values.tolist(), found.to_frame("dict")["feature"]
    (0.1, [0.9, 0.1], ['a', 'b'])
    """

    def __init__(self, names: tuple[str, ...], values: np.ndarray) -> None:
        self.names, self.values = names, values

    @property
    def ranked(self) -> RowTable:
        """One row for each feature, the most important first."""
        order = np.argsort(-self.values, kind="stable").tolist()
        return RowTable([{"feature": self.names[j], "importance": float(self.values[j])} for j in order])

    def to_frame(self, backend: str | None = None) -> Any:
        """The ranking as a data frame; see :meth:`RowTable.to_frame`."""
        return self.ranked.to_frame(backend)

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[float]:
        return iter(self.values.tolist())

    def __getitem__(self, feature: str | int) -> float:
        """The importance of a feature by its name, or of a column by its position."""
        return float(self.values[self.names.index(feature) if isinstance(feature, str) else feature])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        # numpy before 2.0 has no copy=None
        return np.asarray(self.values, dtype=dtype) if copy is None else np.array(self.values, dtype=dtype, copy=copy)

    def __str__(self) -> str:
        return self.ranked.to_text()

    def __repr__(self) -> str:
        return self.ranked.to_text()

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return self.ranked._repr_html_()
