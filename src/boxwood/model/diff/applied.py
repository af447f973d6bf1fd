"""The first model of a diff with the changes of the diff, which predicts as the second does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..._messages import Column, FromZero, Row
from ..._typing import TableLike
from ...data.frames.frame import read_columns
from ...errors import DataError
from ...exports.boxes import Box, every_value
from ..applied_tree import HoldsTree
from .cells import ChangedCell
from .row_places import box_of_rows, holds
from .side import Side


@dataclass(frozen=True, eq=False)
class ChangedModel:
    """A model whose answers are replaced in the cells of a diff."""

    model: HoldsTree
    first: Side
    second: Side
    cells: Sequence[ChangedCell]
    start: Box

    def predict(self, X: TableLike) -> np.ndarray:
        """Class labels or numbers, shape (n,).

        Parameters
        ----------
        X : table of shape (n, p)
            With the features of both models.

        Raises
        ------
        DataError
            The data do not match the models, or hold a value that one of them refuses.
        """
        value, cell = self._values(X), self._cells(X)
        changed = np.flatnonzero(cell >= 0)
        new = np.array([cell.new.value for cell in self.cells])
        value[changed] = new[cell[changed]] if len(changed) else value[changed]
        if not self.first.labels:
            return value
        labels = self.first.labels
        kind = np.str_ if any(isinstance(label, str) for label in labels) else None
        return np.array(labels, dtype=kind)[value.astype(np.int64)]

    def predict_proba(self, X: TableLike) -> np.ndarray:
        """Probability of each label of both models, float64, shape (n, K); parameters and errors as for predict."""
        self.first.plan.tree.response.need_classes("this model predicts numbers, so it has no probability.")
        used, columns = self.model._read(X, match="name")
        own, labels = used.answer(columns, "probability"), self.first.labels
        found = np.zeros((len(own), len(labels)))
        found[:, [self.first.place(label) for label in self.first.plan.labels]] = own
        cell = self._cells(X)
        for row in np.flatnonzero(cell >= 0).tolist():
            found[row] = self.cells[cell[row]].new.fields
        return found

    def _values(self, X: TableLike) -> np.ndarray:
        """The answers of the first model: numbers, or places among the shared labels."""
        used, columns = self.model._read(X, match="name")
        value = np.array(used.answer(columns, "value"), dtype=np.float64)
        place = np.array([self.first.place(label) for label in self.first.plan.labels])
        return place[value.astype(np.int64)].astype(np.float64) if self.first.labels else value

    def _cells(self, X: TableLike) -> np.ndarray:
        columns = read_columns(X, self.first.schema, "this diff", match="name")
        for j, feature in enumerate(columns.schema):
            if self.start[j] != every_value(feature) and not (taken := holds(self.start[j], columns, j)).all():
                raise DataError(
                    Column(feature.name, "column"), " holds a value in ", Row(int(np.argmin(taken))), FromZero(),
                    " that one of the two models refuses: it is missing, or a level that training did not have.",
                )  # fmt: skip
        return box_of_rows([cell.box for cell in self.cells], self.start, columns)
