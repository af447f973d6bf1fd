"""How a fit treats columns that name rows: it ignores them unless identifiers="use"."""

from __future__ import annotations

import warnings

import numpy as np

from ..._messages import Column, DroppedColumn, Message, Setting
from ...data.columns.columns import Columns
from ...data.columns.identifiers import MOST_DESCRIBED, are_identifiers, blank_identifiers, with_ignored
from ...data.columns.schema import NUMERIC
from ...data.columns.sparse import SparseColumns
from ...errors import KindWarning, level_outside
from ...tree.tree import Tree

#: Fewer rows than this are an example of their own making, whose numbers may well run.
_FEWEST = 10


def ignored(settings: dict) -> bool:
    """Whether columns that name rows are ignored; "auto" uses them where another program is reproduced."""
    choice = settings.get("identifiers", "use")
    return choice == "ignore" or (choice == "auto" and settings.get("compat") is None)


def warn_of_kind(text: str) -> None:
    """A warning that the kind of a column is doubtful."""
    warnings.warn(text, KindWarning, stacklevel=level_outside())


def without_identifiers(columns: Columns, settings: dict) -> Columns:
    """The columns that a fit in memory learns from; a warning names those that it ignores."""
    schema = with_ignored(columns.schema, are_identifiers(columns), columns.n, ignored(settings), warn_of_kind)
    return blank_identifiers(columns, schema)


def warn_of_row_number(columns: Columns, tree: Tree, settings: dict) -> None:
    """A warning if a table that is too small for identifiers is split by a column that numbers its rows in order."""
    p, small = len(columns.schema), _FEWEST <= columns.n <= MOST_DESCRIBED
    if p == 1 or not small or not ignored(settings) or isinstance(columns, SparseColumns):
        return
    for j, feature in enumerate(columns.schema):
        values = columns.values[j]
        runs = feature.kind_name == NUMERIC and values[0] in (0, 1)
        if runs and np.array_equal(values, values[0] + np.arange(columns.n)) and j in tree.splits.feature:
            warnings.warn(
                Message(
                    "The tree splits on ", Column(feature.name, "column"), ", which numbers the rows from "
                    f"{values[0]:.0f} to {values[-1]:.0f}. If it is only a row number, leave it out with ",
                    DroppedColumn(feature.name), "; if not, set ", Setting("identifiers", "use"), ".",
                ),
                KindWarning, stacklevel=level_outside(),
            )  # fmt: skip
