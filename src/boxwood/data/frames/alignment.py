"""Containers of pandas that are joined by position: the same labels in another order are refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ..._messages import FromZero, Row, Setting, remedy, short
from ...errors import DataError
from .config import checks_labels


def check_aligned(**given) -> None:
    """Refuse containers whose indexes hold the same labels in another order, since rows are joined by position.

    Indexes of other labels, such as the default one beside dates, give no order.

    Parameters
    ----------
    **given : container, or None
        By the names of the arguments; a dictionary names its columns.

    Raises
    ------
    DataError
        The message names two arguments, the first row in which they differ, and the remedy.

    Examples
    --------
    >>> import pandas as pd
    >>> from boxwood.data.frames.alignment import check_aligned
    >>> age, y = pd.Series([20, 30], ["Li", "김"]), pd.Series([1, 0], ["Li", "김"])
    >>> check_aligned(X={"age": age}, y=y)
    >>> check_aligned(X={"age": age}, y=y[::-1])
    Traceback (most recent call last):
    ...
    boxwood.errors.DataError: X['age'] and y have the same index labels in another order: ...
    """
    if not checks_labels():
        return
    first = None
    for name, container in given.items():
        for place, index in _indexes(name, container):
            if first is None:
                first = place, index
            elif index is not first[1] and not index.equals(first[1]):
                _refuse_other_order(first, (place, index))


def _indexes(name: str, container) -> Iterator[tuple[str, object]]:
    """The indexes of pandas in an argument, with what messages call their owner."""
    if isinstance(container, Mapping):
        for key, column in container.items():
            yield from _indexes(f"{name}[{key!r}]", column)
    elif type(container).__module__.partition(".")[0] == "pandas" and hasattr(container, "iloc"):
        yield name, container.index


def _refuse_other_order(one: tuple, other: tuple) -> None:
    (name, index), (its_name, its_index) = one, other
    if len(index) != len(its_index):
        return  # refused elsewhere
    labels = index.unique()
    if hasattr(labels, "is_overlapping"):
        labels = labels.astype(object)  # an index of intervals finds the numbers in them, and fails where they overlap
    place, its_place = labels.get_indexer(index), labels.get_indexer(its_index)
    if (its_place < 0).any() or not np.array_equal(np.bincount(place), np.bincount(its_place, minlength=len(labels))):
        return
    differ = place != its_place
    if not differ.any():
        return
    row = int(np.argmax(differ))
    by_label = f"{its_name}.loc[{name}.index]" if index.is_unique else "both sorted in the same way"
    raise DataError(
        f"{name} and {its_name} have the same index labels in another order: ", Row(row), FromZero(), " is "
        f"{_label(index, row)} in {name} and {_label(its_index, row)} in {its_name}. Rows are joined by position. ",
        remedy(
            f"If the labels are right, pass {by_label}; if the positions are, pass {its_name}.reset_index(",
            Setting("drop", True), "), or call set_config(", Setting("align", "ignore"), ").",
        ),
    )  # fmt: skip


def _label(index, row: int) -> str:
    """A label for a message, a number as Python writes it."""
    return short(index[row : row + 1].tolist()[0])
