"""Bins of all columns of a table against the events of a response."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._messages import Setting, Value, must_be, remedy
from ...data.columns.columns import Columns
from ...data.columns.missing_codes import codes_of_columns
from ...data.frames.class_labels import class_code, rarer
from ...data.frames.target import read_classes
from ...data.frames.weights import check_lengths, read_weights
from ...errors import ParameterError, ResponseError, check_one_of
from ...statistics.effective import effective
from .column import BinRule, Outcome, partition
from .evidence import PointScale
from .monotone import DIRECTIONS
from .table import BinTable, ColumnBins


def bin_columns(columns: Columns, y: Any, weight: Any, settings: dict[str, Any], response_name: str) -> BinTable:
    """The bins of every column, by falling information value.

    Parameters
    ----------
    columns : Columns
    y : column of n labels
    weight : column of n numbers, or None
    settings : dict
        Of :func:`boxwood.bin_features`: target_class, max_bins, min_samples_leaf, monotone, special_values, points.
    response_name : str

    Raises
    ------
    ParameterError, ResponseError, WeightError
    """
    labels, codes = read_classes(y)
    check_lengths(columns.n, len(codes))
    given = read_weights(weight, columns.n)
    weight = np.ones(columns.n) if given is None else given
    event = _event(labels, codes[weight > 0], settings["target_class"])
    outcome = Outcome(codes == event, weight)
    rule, scale = _rule(settings, columns.schema.names), _scale(settings["points"])
    found = [_column(columns, j, outcome, rule, scale) for j in range(len(columns.schema))]
    found.sort(key=lambda column: -column.total_iv)
    return BinTable(tuple(found), columns.schema, response_name, labels[event], outcome.totals, scale)


def _event(labels: tuple, codes: np.ndarray, target_class: Any) -> int:
    """The code of the class that counts as the event."""
    counts = np.bincount(codes, minlength=len(labels))
    if np.count_nonzero(counts) < 2:
        raise ResponseError("y has one class, so there is nothing to separate; ", remedy("give rows of two classes."))
    if target_class is None and len(labels) > 2:
        raise ParameterError(
            f"y has {len(labels)} classes, and bins compare one with all others; ",
            remedy("name it with ", Setting("target_class", labels[int(np.argmin(counts))]), "."),
        )  # fmt: skip
    code = class_code(labels, rarer(labels, lambda: counts) if target_class is None else target_class)
    if not counts[code]:
        raise ResponseError(f"y has no row of weight of the class {labels[code]!r}.")
    return code


def _rule(settings: dict[str, Any], names: tuple[str, ...]) -> BinRule:
    """The checked settings of binning; the tree checks the size of bins."""
    most = settings["max_bins"]
    if isinstance(most, bool) or not isinstance(most, (int, np.integer)) or most < 2:
        raise ParameterError(must_be("max_bins", "a whole number of at least 2", most))
    if settings["monotone"] is not None:
        check_one_of("monotone", settings["monotone"], DIRECTIONS)
    special = codes_of_columns(settings["special_values"], names, "special_values")
    return BinRule(int(most), settings["min_samples_leaf"], settings["monotone"], special)


def _scale(points: Any) -> PointScale | None:
    """Points to double the odds, base score and base odds."""
    if points is None:
        return None
    try:
        double, base, odds = (float(number) for number in points)
    except (TypeError, ValueError):
        double = base = odds = np.nan
    if not (np.isfinite([double, base, odds]).all() and double > 0 and odds > 0):
        allowed = "points to double the odds, base score and base odds, such as (20, 600, 50)"
        raise ParameterError(must_be("points", allowed, Value(points, repr(points))))
    return PointScale(double, base, odds)


def _column(columns: Columns, j: int, outcome: Outcome, rule: BinRule, scale: PointScale | None) -> ColumnBins:
    """The bins of one column that have rows, with their figures."""
    found, note = partition(columns, j, outcome, rule)
    number = np.where(outcome.weight > 0, found.bins_of(columns.values[j], columns.low[j]), -1)
    rows = np.bincount(number[number >= 0], minlength=found.n_bins)
    events, others = outcome.cells(number, found.n_bins)
    kept = np.flatnonzero(rows)
    squares = np.bincount(number[number >= 0], outcome.weight[number >= 0] ** 2, found.n_bins)[kept]
    woe, iv = outcome.totals.woe_and_iv(events[kept], others[kept])
    words = found.words()
    return ColumnBins(
        columns.schema[j].name, [words[b] for b in kept], rows[kept], (events + others)[kept], events[kept],
        effective((events + others)[kept], squares, rows[kept]), woe, iv,
        None if scale is None else scale.points(woe), note, found, kept.tolist(),
    )  # fmt: skip
