"""The difference of two models: the segments that get another answer, and the first model with these changes."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..._messages import Setting, must_be
from ..._typing import ColumnLike
from ...data.columns.columns import Columns
from ...data.columns.schema import Schema
from ...data.frames.target import encode_classes, read_numbers
from ...data.frames.weights import check_lengths
from ...errors import ParameterError, ParameterTypeError
from ...exports.boxes import ValueSet, every_value
from ...views.figures import percent
from ...views.table import frame_of
from ...views.words import plain
from ..applied_tree import AppliedTree, HoldsTree
from .applied import ChangedModel
from .cells import ChangedCell, changed_cells
from .row_places import box_of_rows
from .row_sums import RowSums, sums_of_rows
from .segment import Segment, segments_of
from .shared_schema import shared_schema
from .side import Side, sides

#: Segments that a text shows.
MOST = 20


@dataclass(frozen=True, eq=False)
class Diff:
    """What changed between two models: print it, loop over its segments, or apply it to the first model.

    Attributes
    ----------
    segments : tuple of Segment
        The rows that get another answer: first those of another class; among them those of most rows first.
    rows : int or None
        Number of rows that were given; None without rows.
    cells : tuple of ChangedCell
        The same exactly: disjoint boxes, each with one answer before and one after.
    schema : Schema
        The features of both models.
    labels : tuple
        Class labels of both models; empty for numbers.

    Examples
    --------
    >>> import boxwood
    >>> X = {"age": [20, 30, 40, 50, 60, None], "city": ["Ulm", "京都", "Ulm", "京都", "Ulm", "京都"]}
    >>> old = boxwood.CARTClassifier(pruning=None).fit(X, ["no", "no", "no", "yes", "yes", "yes"])
    >>> new = boxwood.CARTClassifier(pruning=None).fit(X, ["no", "no", "yes", "yes", "yes", "yes"])
    >>> found = boxwood.diff(old, new, X)
    >>> print(found)
    3 of 6 rows (50.0 %) get another answer; 2 (33.3 %) another class.
      1. 35 < age <= 45 or missing: no → yes, probability of yes 0.250 → 1.000; 2 rows (33.3 %)
      2. age <= 35, city = 京都: no as before, probability of no 0.500 → 1.000; 1 row (16.7 %)
    ... 1 segment more without any of the rows
    >>> found.apply(old).predict(X).tolist() == new.predict(X).tolist()
    True
    """

    segments: tuple[Segment, ...]
    cells: tuple[ChangedCell, ...] = field(repr=False)
    sides: tuple[Side, Side] = field(repr=False)
    sums: RowSums | None = field(default=None, repr=False)

    @property
    def schema(self) -> Schema:
        """The features of both models."""
        return self.sides[0].schema

    @property
    def labels(self) -> tuple:
        """Class labels of both models; empty for numbers."""
        return self.sides[0].labels

    @property
    def rows(self) -> int | None:
        """Number of rows that were given; None without rows."""
        return None if self.sums is None else self.sums.n

    def __len__(self) -> int:
        return len(self.segments)

    def __iter__(self):
        return iter(self.segments)

    def __getitem__(self, at: int) -> Segment:
        return self.segments[at]

    @cached_property
    def _start(self) -> dict[int, ValueSet]:
        """The values of each feature that neither model refuses."""
        first, second = self.sides
        return {j: first.start[j].within(second.start[j]) for j in range(len(self.schema))}

    def cell_of(self, columns: Columns) -> np.ndarray:
        """The number of the cell of each row, int64, shape (n,); -1 where the answer does not change."""
        return box_of_rows([cell.box for cell in self.cells], self._start, columns)

    def sums_of(self, columns: Columns, y: ColumnLike | None = None) -> RowSums:
        """Counts of rows, and of losses where y is given; those of parts of the data can be added."""
        truth, has_classes = None, bool(self.labels)
        if y is not None:
            if self.sides[0].plan.tree.response.takes_exposure:
                raise ParameterError(
                    Setting("y"), " holds counts, which rates do not predict without exposures; leave it out."
                )
            truth = encode_classes(y, self.labels) if has_classes else read_numbers(y)
            check_lengths(columns.n, len(truth))
        answers = np.array([[cell.old.value, cell.new.value] for cell in self.cells]).reshape(-1, 2)
        return sums_of_rows(self.cell_of(columns), answers, truth, has_classes)

    def with_sums(self, sums: RowSums) -> Diff:
        """The same with the figures of rows."""
        return replace(self, segments=_segments(self.cells, self.sides[0], sums), sums=sums)

    def apply(self, model: HoldsTree) -> ChangedModel:
        """The first model with the changes of the diff: it predicts what the second does.

        Parameters
        ----------
        model : estimator or Tree
            The first model of the diff.

        Raises
        ------
        ParameterError, ParameterTypeError
            It is another model, or none.
        """
        if not isinstance(model, HoldsTree):
            raise ParameterTypeError(must_be("model", "the first model of the diff", model))
        if not self.sides[0].is_made_of(model._used().export_plan()):
            raise ParameterError(Setting("model"), " must be the first model of the diff; this one predicts otherwise.")
        return ChangedModel(model, self.sides[0], self.sides[1], self.cells, self._start)

    @property
    def headline(self) -> str:
        """How many rows, or segments, get another answer."""
        if not self.cells:
            return "Both models give every row the same answer."
        moved = sum(segment.changes_class for segment in self)
        if self.sums is None:
            many = f"{len(self):,} segment{'s' * (len(self) != 1)} get{'s' * (len(self) == 1)} another answer"
            return f"{many}; {moved:,} another class." if self.labels else f"{many}."
        n, changed = self.sums.n, int(self.sums.rows.sum())
        rows = f"{changed:,} of {n:,} row{'s' * (n != 1)} ({percent(changed / max(n, 1))})"
        text = f"{rows} get{'s' * (changed == 1)} another answer"
        if not self.labels:
            return f"{text}."
        moved = sum(segment.rows for segment in self if segment.changes_class)
        return f"{text}; {moved:,} ({percent(moved / max(n, 1))}) another class."

    def _shown(self, most: int | None, hint: str) -> tuple[list[Segment], list[str]]:
        """The segments that a text shows, and sentences about the others."""
        if most is not None and (isinstance(most, bool) or not isinstance(most, (int, np.integer)) or most < 1):
            raise ParameterError(must_be("max_segments", "a whole number of at least 1 or None", most))
        kept = [segment for segment in self if segment.rows != 0]
        shown = kept if most is None else kept[:most]
        rest, empty = len(kept) - len(shown), len(self) - len(kept)
        notes = [f"{rest:,} segment{'s' * (rest != 1)} more; {hint} shows all"] * (rest > 0)
        return shown, notes + [f"{empty:,} segment{'s' * (empty != 1)} more without any of the rows"] * (empty > 0)

    def to_text(self, max_segments: int | None = MOST, hint: str = "to_text(max_segments=None)") -> str:
        """The segments as text, one a line.

        Parameters
        ----------
        max_segments : int or None
            Segments to list; the others are counted. None lists all.
        hint : str
            What shows all.

        Raises
        ------
        ParameterError
            ``max_segments`` is below 1.
        """
        shown, notes = self._shown(max_segments, hint)
        lines = [f"  {i}. {segment.to_text(self.rows)}" for i, segment in enumerate(shown, 1)]
        return "\n".join([self.headline, *lines, *(f"... {note}" for note in notes)])

    def __str__(self) -> str:
        return self.to_text()

    def to_html(self, max_segments: int | None = 200) -> str:
        """The same as a section of HTML, without styles or scripts."""
        shown, notes = self._shown(max_segments, "to_html(max_segments=None)")
        cells = [segment.to_text(self.rows).removeprefix(segment.where).lstrip(": ").split("; ") for segment in shown]
        lines = [f'<section class="diff"><p>{html.escape(self.headline)}</p>']
        if shown:
            rows = ([segment.where, *parts] for segment, parts in zip(shown, cells, strict=True))
            body = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows)
            heads = ["segment", "change", "rows", "errors"][: len(cells[0]) + 1]
            head = "".join(f"<th>{name}</th>" for name in heads)
            lines.append(
                f"<table><thead><tr>{head}</tr></thead><tbody><tr>{'</tr><tr>'.join(body)}</tr></tbody></table>"
            )
        return "\n".join([*lines, *(f"<p>{html.escape(note)}</p>" for note in notes), "</section>"])

    def to_records(self) -> dict[str, list[Any]]:
        """The segments as columns; :class:`Segment` describes them."""
        found = [segment.to_dict() for segment in self]
        names = ("where", "old", "new", "target_class", "change", "rows", "mean_before", "mean_after")
        records = {name: [row[name] for row in found] for name in (*names, "loss_before", "loss_after")}
        ends = {"before": "low_before high_before", "after": "low_after high_after"}
        return records | {
            column: [row[name][k] for row in found]
            for name, both in ends.items()
            for k, column in enumerate(both.split())
        }

    def to_frame(self, backend: str | None = None) -> Any:
        """The segments as a data frame with the columns of :meth:`to_records`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.
        """
        return frame_of(self.to_records(), backend)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, as ``--json`` prints it: segments and cells with all their conditions."""
        segments = [segment.to_dict() | {"conditions": self._conditions(segment.box)} for segment in self]
        cells = [
            {"conditions": self._conditions(cell.box), "old": list(cell.old.fields), "new": list(cell.new.fields)}
            for cell in self.cells
        ]
        fields = list(self.labels) or list(self.sides[0].plan.tree.response.fields)
        found = {"headline": self.headline, "rows": self.rows, "fields": fields}
        return found | {"segments": segments, "cells": cells}

    def _conditions(self, box: Sequence[ValueSet]) -> dict[str, Any]:
        """The conditions of a box by name of the feature; features that may have any value are left out."""
        found = {}
        for feature, values in zip(self.schema, box, strict=True):
            if values == every_value(feature):
                continue
            new = len(feature.levels)
            ends = [[None if math.isinf(end) else end for end in part] for part in values.parts]
            levels = [plain(str(feature.levels[code])) for code in sorted(values.levels) if code < new]
            known = {"levels": levels, "new_level": new in values.levels} if new else {"intervals": ends}
            found[feature.name] = known | {"missing": values.missing}
        return found


def _segments(cells: Sequence[ChangedCell], side: Side, sums: RowSums | None) -> tuple[Segment, ...]:
    return segments_of(cells, side.schema, side.labels, sums)


def diff_of(first: AppliedTree, second: AppliedTree) -> Diff:
    """What changed from one tree to another.

    Raises
    ------
    DataError
        Their features, classes or numbers cannot be compared; the message names them.
    ParameterError
        A tree has other leaves than constants.
    """
    for one in (first, second):
        one.need_constant_leaves("diff")
    plans = first.export_plan(), second.export_plan()
    both = sides(*plans, shared_schema(*plans))
    cells = tuple(changed_cells(*both))
    return Diff(_segments(cells, both[0], None), cells, both)
