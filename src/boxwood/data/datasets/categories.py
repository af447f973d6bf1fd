"""A column of levels that keeps their declared order, with the attributes by which readers recognise it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Categories(Sequence[Any]):
    """A column of levels with declared categories, treated like a pandas categorical. None is a missing value.

    Parameters
    ----------
    values : list of str or None
    categories : list of str
        The levels in declared order. Every value must be one of them.
    ordered : bool
        Whether the levels are ordered.

    Attributes
    ----------
    codes : list of int
        Position of every value in ``categories``, -1 = missing.
    categories, ordered

    Examples
    --------
    >>> from boxwood import datasets
    >>> age = datasets.load("contact_lenses")["age"]
    >>> age.categories, age.ordered, age[0], list(age[7:9])
    (['young', 'pre-presbyopic', 'presbyopic'], True, 'young', ['young', 'pre-presbyopic'])
    """

    def __init__(self, values: list[Any], categories: list[str], ordered: bool) -> None:
        self._values, self.categories, self.ordered = list(values), list(categories), ordered
        position = {level: i for i, level in enumerate(self.categories)}
        self.codes = [-1 if value is None else position[value] for value in self._values]

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, row: Any) -> Any:
        found = self._values[row]
        return Categories(found, self.categories, self.ordered) if isinstance(row, slice) else found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Categories):
            return NotImplemented
        mine, theirs = ((c._values, c.categories, c.ordered) for c in (self, other))
        return mine == theirs

    __hash__ = None  # type: ignore[assignment]  # equal by value, and changeable

    def __repr__(self) -> str:
        order = (" < " if self.ordered else ", ").join(self.categories)
        return f"<{len(self)} values of {order}>"
