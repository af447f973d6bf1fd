"""An evaluation by groups of rows, whose scores and leaves are compared with the rows of the fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .._messages import Setting
from .._spelling import did_you_mean
from .._typing import TableLike
from ..data.columns.columns import Columns
from ..data.columns.raw import place_of
from ..data.columns.schema import Schema
from ..data.frames.containers import as_table, open_column
from ..data.frames.weights import check_lengths
from ..errors import ColumnError, DataError
from ..evaluation.evaluation import Evaluation
from ..evaluation.grouping import RowGroups, grouping, period_of
from ..evaluation.groups import TrainingLeaves
from ..statistics.responses.registry import CLASSES
from ..tree.descend import route_shares
from ..tree.tree import Tree


def grouped(
    found: Evaluation, tree: Tree | None, unseen: str, by: Sequence[RowGroups], read: Callable[[], Columns]
) -> Evaluation:
    """The evaluation with ``groups``, compared with the rows of the fit of a tree.

    Parameters
    ----------
    found : Evaluation
    tree : Tree or None
        None for a model that is not a tree.
    unseen : {"missing", "majority", "stay", "error"}
    by : RowGroups of the given rows
    read : callable
        () -> the given rows as the tree reads them.
    """
    if not by:
        return found
    training = None
    if tree is not None:
        weight = np.where(tree.is_leaf, tree.row_weight, 0.0)
        score = tree.probability if tree.response.kind == CLASSES else tree.value
        training = TrainingLeaves(weight, float(tree.effective_rows[0]), score, route_shares(tree, read(), unseen))
    return replace(found, by=tuple(by), training=training)


def groups_by(by: Any, X: TableLike, schema: Schema) -> list[RowGroups]:
    """The groups of rows that ``by`` names.

    Raises
    ------
    ColumnError, DataError, DataTypeError
        X has no such column, or a column that is not one of rows.
    """
    if by is None:
        return []
    table = as_table(X)
    if isinstance(by, str):
        _, name = period_of(by, table.names)
        if name not in table.names:
            raise ColumnError(Setting("by", by), f": X has no column {name!r}", did_you_mean(name, table.names))
        return [grouping(by, table.column(table.names.index(name)), table.names, schema)]
    found = []
    for name, column in (by if isinstance(by, Mapping) else {_name_of(by): by}).items():
        raw, _ = open_column(column, place_of(str(name)))
        if raw is None:
            raise DataError(Setting("by"), " must be one column, or a dictionary of columns.")
        check_lengths(table.n, len(raw.values))
        found.append(grouping(str(name), raw, (), schema))
    return found


def _name_of(column: Any) -> str:
    """The name of a series, else "group"."""
    name = getattr(column, "name", None)
    return name if isinstance(name, str) and name else "group"
