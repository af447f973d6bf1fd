"""The bins of all columns with their counts, weights of evidence, information values and points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..._messages import Setting, remedy
from ..._spelling import did_you_mean
from ...data.columns.schema import Schema
from ...data.frames.frame import read_columns
from ...errors import ParameterError, check_one_of
from ...exports.registry import FORMATS
from ...exports.sql_bins import BinsPlan, BinsQuery
from ...pictures.chart import Chart, Series, chart_scene
from ...pictures.scene import Group, Scene
from ...pictures.svg import scene_svg
from ...statistics.intervals import wilson
from ...views.aligned import aligned
from ...views.table import frame_of
from ...views.words import amount, grouped, level, plain
from .evidence import PointScale, Totals
from .partition import ColumnPartition

VALUES = ("woe", "points")
#: So many columns are shown in full as text.
MOST_SHOWN = 20


@dataclass(frozen=True, eq=False)
class ColumnBins:
    """The bins of one column.

    Attributes
    ----------
    name : str
    conditions : list of str
        Each bin as text.
    rows : int64, shape (B,)
    weight, events : float64, shape (B,)
        Weight of the rows, and of the events among them.
    effective : float64, shape (B,)
        Effective number of rows (Kish): the intervals of weighted rates are those of so many rows.
    woe, iv : float64, shape (B,)
        Weight of evidence and information value.
    points : float64, shape (B,), or None
    note : str
        A remark about the column; empty for none.
    partition : ColumnPartition
    kept : list of int
        The bins of the partition that have rows, in order; the arrays have an element for each.
    """

    name: str
    conditions: list[str]
    rows: np.ndarray
    weight: np.ndarray
    events: np.ndarray
    effective: np.ndarray
    woe: np.ndarray
    iv: np.ndarray
    points: np.ndarray | None
    note: str
    partition: ColumnPartition
    kept: list[int]

    @property
    def total_iv(self) -> float:
        """Information value of the column."""
        return float(self.iv.sum())

    @property
    def rate(self) -> np.ndarray:
        """Share of events in each bin."""
        return self.events / self.weight

    def values(self, kind: str) -> np.ndarray:
        """The weight of evidence, or the points, of each bin of the partition; 0 for bins without rows."""
        found = np.zeros(self.partition.n_bins)
        found[self.kept] = self.woe if kind == "woe" else self.points
        return found

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Header and rows of the table as text."""
        share = self.weight / self.weight.sum()
        short = self.partition.words(4)
        head = ["bin", "rows", "share", "events", "rate", "woe", "iv", *(["points"] if self.points is not None else [])]
        rows = []
        for i, bin_number in enumerate(self.kept):
            cells = [short[bin_number], grouped(str(self.rows[i])), f"{share[i]:.1%}", amount(self.events[i])]
            cells += [f"{self.rate[i]:.3f}", f"{self.woe[i]:.3f}", f"{self.iv[i]:.3f}"]
            rows.append([*cells, *([f"{self.points[i]:.0f}"] if self.points is not None else [])])
        return head, rows

    def chart(self, event: str) -> Chart:
        """Event rate of each bin with its 95 % interval."""
        low, high = wilson(self.rate, self.effective)
        places = np.arange(len(self.rows), dtype=np.float64)
        notes = tuple(f"{self.rate[i]:.1%} of {int(self.rows[i]):,}" for i in range(len(self.rows)))
        errors = np.array([self.rate - low, high - self.rate])
        series = Series(self.rate, places, "", "mark", "", True, errors, True, notes)
        names = tuple(self.partition.words(4)[b] for b in self.kept)
        return Chart(f"rate of {event} (bar: 95 % interval); IV {self.total_iv:.3f}", "", (series,), names=names)


@dataclass(frozen=True, eq=False)
class BinTable:
    """Bins of single columns, as returned by :func:`boxwood.bin_features`; ``print`` shows a table for each column.

    ``bins["age"]`` is the :class:`ColumnBins` of a column. The weight of evidence of a bin is
    ln((non-events / all non-events) / (events / all events)).

    Attributes
    ----------
    columns : tuple of ColumnBins
        By falling information value.
    schema : Schema
    response_name : str
    event : label
        The class whose rate is shown.
    totals : Totals
    scale : PointScale or None
        How points are made.

    Examples
    --------
    >>> import boxwood
    >>> X = boxwood.datasets.load("titanic")
    >>> y = X.pop("survived")
    >>> bins = boxwood.bin_features(X, y, target_class="yes", max_bins=3)
    >>> [column.name for column in bins.columns][:2], round(bins["sex"].total_iv, 3)
    (['sex', 'fare'], 1.277)
    """

    columns: tuple[ColumnBins, ...]
    schema: Schema
    response_name: str
    event: Any
    totals: Totals
    scale: PointScale | None

    @cached_property
    def names(self) -> list[str]:
        """Names of the columns, by falling information value."""
        return [column.name for column in self.columns]

    @property
    def start(self) -> float | None:
        """The score to which the points of all columns are added; None without points."""
        return None if self.scale is None else self.scale.start(self.totals)

    def __len__(self) -> int:
        return len(self.columns)

    def __getitem__(self, name: str) -> ColumnBins:
        if name not in self.names:
            raise ParameterError(f"there are no bins of a column {name!r}{did_you_mean(name, self.names)}")
        return self.columns[self.names.index(name)]

    @property
    def event_words(self) -> str:
        """The event as text."""
        return f"{plain(self.response_name)} = {level(self.event)}"

    def to_records(self) -> dict[str, list[Any]]:
        """The table as columns, one value per bin.

        Returns
        -------
        dict of str to list
            feature, bin, rows, weight, events, rate, woe, iv, points (None without points) and feature_iv.
        """
        found: dict[str, list[Any]] = {name: [] for name in ("feature", "bin", "rows", "weight", "events", "rate")}
        found |= {name: [] for name in ("woe", "iv", "points", "feature_iv")}
        for column in self.columns:
            count = len(column.rows)
            found["feature"] += [column.name] * count
            found["bin"] += column.conditions
            for name in ("rows", "weight", "events", "rate", "woe", "iv"):
                found[name] += getattr(column, name).tolist()
            found["points"] += [None] * count if column.points is None else [int(p) for p in column.points]
            found["feature_iv"] += [column.total_iv] * count
        return found

    def to_frame(self, backend: str | None = None) -> Any:
        """The table as a data frame, one row per bin, with the columns of :meth:`to_records`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.
        """
        return frame_of(self.to_records(), backend)

    def to_text(self, max_columns: int | None = MOST_SHOWN) -> str:
        """A table for each column; ``max_columns`` limits their number, None shows all."""
        head = f"Bins for {self.event_words}: {amount(self.totals.events)} of "
        lines = [f"{head}{amount(self.totals.events + self.totals.others)} rows; woe is positive where it is rarer."]
        if self.start is not None:
            lines.append(f"Score: {self.start:.0f} and the points of each column, as if these were independent.")
        shown = self.columns[:max_columns]
        for column in shown:
            note = f"; {column.note}" if column.note else ""
            lines += ["", f"{plain(column.name)}: information value {column.total_iv:.3f}{note}"]
            header, rows = column.cells()
            lines += [f"  {line}" for line in aligned([header, *rows])]
        if len(shown) < len(self):
            rest = self.columns[len(shown) :]
            lines += ["", f"{len(rest):,} more columns, of information value {rest[0].total_iv:.3f} and less."]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.to_text()

    def to_svg(self, feature: str | None = None, theme: str = "auto") -> str:
        """Draw the event rate of each bin with its 95 % interval.

        Parameters
        ----------
        feature : str, optional
            The column; by default all columns, one below the other.
        theme : {"auto", "light", "dark"}
            "auto" follows the light or dark mode of the viewer's system.

        Returns
        -------
        str
            One ``<svg>`` element.
        """
        columns = self.columns if feature is None else (self[feature],)
        title = f"bins for {self.event_words}"
        scenes = [chart_scene(column.chart(self.event_words), title) for column in columns]
        tops = np.cumsum([0.0, *(scene.height for scene in scenes)])
        items = tuple(Group(0.0, float(top), scene.items) for top, scene in zip(tops, scenes, strict=False))
        return scene_svg(Scene(max(s.width for s in scenes), float(tops[-1]), items, title), theme)

    def to_sql(self, values: str = "woe", **options: Any) -> str:
        """A query that gives the weight of evidence, or the points, of every column for each row of a table.

        Parameters
        ----------
        values : {"woe", "points"}
        **options
            Those of ``export("sql")``: dialect, table and key.

        Returns
        -------
        str

        Raises
        ------
        ParameterError
            There are no points, or an option or a name cannot be used.
        """
        self._check_values(values)
        each = enumerate(map(self.__getitem__, self.schema.names))
        bins = [(j, column.partition.splits, column.values(values)) for j, column in each]
        plan = BinsPlan(self.schema, self.response_name, f"Bins for {self.event_words}", values, bins)
        return BinsQuery(plan, FORMATS["sql"].settings(options)).text()

    def transform(self, X: Any, values: str = "woe") -> np.ndarray:
        """The weight of evidence, or the points, of every column for each row.

        Parameters
        ----------
        X : table of shape (n, p)
        values : {"woe", "points"}

        Returns
        -------
        float64, shape (n, p)
            In the column order of the fit. A level that no row of the fit had, and a missing value in a column without
            any in the fit, has 0.
        """
        self._check_values(values)
        read = read_columns(X, self.schema, "these bins", "name")
        found = np.zeros((read.n, len(self.schema)))
        for j, name in enumerate(self.schema.names):
            column = self[name]
            number = column.partition.bins_of(read.values[j], read.low[j])
            found[:, j] = np.where(number < 0, 0.0, column.values(values)[number])
        return found

    def _check_values(self, values: str) -> None:
        check_one_of("values", values, VALUES)
        if values == "points" and self.scale is None:
            raise ParameterError("these bins have no points; ", remedy("give ", Setting("points", (20, 600, 50)), "."))
