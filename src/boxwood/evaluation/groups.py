"""An evaluation by group: figures with intervals, calibration, selection and stability; as text, frame, JSON, chart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .._typing import Axes
from ..errors import check_one_of
from ..pictures.chart import chart_scene
from ..pictures.chart_axes import chart_axes
from ..pictures.options import THEMES
from ..pictures.svg import scene_svg
from ..tree.shares import Parts
from ..views.table import frame_of
from .group_figures import Estimate, effective_rows, group_figures, without_intervals
from .group_words import figure_chart, groups_text
from .grouping import RowGroups
from .rows import EvaluatedRows, taken
from .stability import UNKNOWN, Stability, score_cuts, stability

#: What the index of the scores and of the leaves compares a group with.
TRAINING, OTHERS = "training set", "other rows"


@dataclass(frozen=True, eq=False)
class TrainingLeaves:
    """Where the rows of the fit and the given rows are in the nodes of a tree.

    Attributes
    ----------
    weight : float64, shape (T,)
        Of the rows of the fit that ended in each node; 0 at inner nodes.
    rows : float
        How many rows of equal weight these are.
    score : float64, shape (T,) or (T, K)
        What each node predicts: a number, or the probabilities of the classes.
    parts : Parts
        Where the given rows end.
    """

    weight: np.ndarray
    rows: float
    score: np.ndarray
    parts: Parts

    def of_rows(self, rows: EvaluatedRows, n: int) -> np.ndarray:
        """Weight of some of the ``n`` given rows in each node."""
        weight = np.zeros(n)
        weight[rows.position] = rows.weight
        return np.bincount(self.parts.node, self.parts.share * weight[self.parts.row], len(self.weight))


@dataclass(frozen=True)
class GroupFigures:
    """The figures of one group of rows.

    Attributes
    ----------
    label : object
        The value of the column; None if it is missing, or for all rows.
    rows : int
    weight : float
    figures : dict of str to Estimate
        By name; each has ``value``, ``low`` and ``high``, the ends of the 95 % interval.
    psi_score, psi_leaves : Stability
        The population stability index of the predicted score and of the leaves.
    """

    label: Any
    rows: int
    weight: float
    figures: dict[str, Estimate]
    psi_score: Stability = UNKNOWN
    psi_leaves: Stability = UNKNOWN


@dataclass(frozen=True, eq=False)
class Groups:
    """The figures of an evaluation for each group of rows: ``print`` it, or use ``to_frame()`` and ``to_svg()``.

    Attributes
    ----------
    name : str
        Of the column of the groups.
    groups : tuple of GroupFigures
    whole : GroupFigures
        All rows.
    label : object
        The class of interest, if there is one.
    reference : {"training set", "other rows"}
        What the stability of a group is compared with.

    Examples
    --------
    >>> from boxwood import CARTClassifier, datasets
    >>> X, new = datasets.load("titanic"), datasets.load("titanic_new")
    >>> y, y_new = X.pop("survived"), new.pop("survived")
    >>> model = CARTClassifier(max_depth=2, pruning=None).fit(X, y)
    >>> found = model.evaluate(new, y_new, by="sex").groups["sex"]
    >>> [(group.label, group.rows, round(group.figures["accuracy"].value, 3)) for group in found.groups]
    [('female', 90, 0.7), ('male', 110, 0.8)]
    """

    name: str
    groups: tuple[GroupFigures, ...]
    whole: GroupFigures
    label: Any
    reference: str

    @cached_property
    def selection_ratio(self) -> float:
        """The smallest selection rate of a group over the largest; NaN without a class of interest."""
        rates = [group.figures["selection_rate"].value for group in self.groups if "selection_rate" in group.figures]
        return min(rates) / max(rates) if rates and max(rates) > 0 else np.nan

    def to_records(self) -> dict[str, list[Any]]:
        """The figures as columns, one row per group, then all rows: each figure, and the ends of its interval."""
        all_groups = (*self.groups, self.whole)
        found: dict[str, list[Any]] = {
            "group": [group.label for group in self.groups] + ["(all rows)"],
            "rows": [group.rows for group in all_groups],
            "weight": [group.weight for group in all_groups],
        }
        for name in self.whole.figures:
            for field, end in (("value", ""), ("low", "_low"), ("high", "_high")):
                found[name + end] = [getattr(group.figures[name], field) for group in all_groups]
        for name in ("psi_score", "psi_leaves"):
            for field, end in (("psi", ""), ("expected", "_expected"), ("p_value", "_p")):
                found[name + end] = [getattr(getattr(group, name), field) for group in all_groups]
        return found

    def to_frame(self, backend: str | None = None) -> Any:
        """The figures as a data frame, with the columns of :meth:`to_records`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.
        """
        records = self.to_records()
        return frame_of(records | {"group": [None if g is None else str(g) for g in records["group"]]}, backend)

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values: what is compared, and a dictionary for each group."""
        records = self.to_records()
        rows = [dict(zip(records, row, strict=True)) for row in zip(*records.values(), strict=True)]
        return {
            "by": self.name,
            "target_class": self.label,
            "psi_reference": self.reference,
            "selection_ratio": self.selection_ratio,
            "groups": rows[:-1],
            "all": rows[-1],
        }

    def plot(self, figure: str | None = None, ax: Axes | None = None) -> Axes:
        """Draw a figure of each group with its interval with matplotlib.

        Parameters
        ----------
        figure : str, optional
            Its name, such as "auc" or "observed_to_predicted"; default: the first.
        ax : matplotlib Axes, optional
            Axes to draw on; default: a new figure.

        Raises
        ------
        ParameterError
            There is no such figure.
        NotAvailableError
            matplotlib is not installed.
        """
        return chart_axes(figure_chart(self, figure), ax)

    def to_svg(self, figure: str | None = None, theme: str = "auto") -> str:
        """Draw a figure of each group with its interval as SVG, without matplotlib.

        Parameters
        ----------
        figure : str, optional
            As for :meth:`plot`.
        theme : {"auto", "light", "dark"}
            "auto" follows the light or dark mode of the viewer's system.

        Raises
        ------
        ParameterError
            There is no such figure or theme.
        """
        check_one_of("theme", theme, THEMES)
        return scene_svg(chart_scene(figure_chart(self, figure), f"figures by {self.name}"), theme)

    def to_text(self) -> str:
        """The figures as text, in tables."""
        return groups_text(self)

    def __str__(self) -> str:
        return self.to_text()


def compared_groups(found, by: RowGroups) -> Groups:
    """The figures of an evaluation (``found``) for each of its groups."""
    rows, target, leaves = found.rows, found.target, found.training
    code, k = by.code[rows.position], len(by.labels)
    score, cuts = _scores(rows, target), None
    reference = None if leaves is None else leaves.score if target is None else leaves.score[:, target]
    if score is not None:
        cuts = score_cuts(score, rows.weight) if leaves is None else score_cuts(reference, leaves.weight)

    def group(label, which: np.ndarray) -> GroupFigures:
        part = taken(rows, which)
        others = None if which.all() else taken(rows, ~which)
        figures = group_figures(part, others, target)
        figures = without_intervals(figures) if found.of == "training set" else figures
        n, psi, psi_leaves = effective_rows(part), UNKNOWN, UNKNOWN
        if cuts is not None and (leaves is not None or others is not None):
            here = _in_cells(score[which], part.weight, cuts)
            against = (others.weight, score[~which]) if leaves is None else (leaves.weight, reference)
            m = effective_rows(others) if leaves is None else leaves.rows
            psi = stability(here, n, _in_cells(against[1], against[0], cuts), m)
        if leaves is not None:
            psi_leaves = stability(leaves.of_rows(part, len(by.code)), n, leaves.weight, leaves.rows)
        return GroupFigures(label, part.count, float(part.weight.sum()), figures, psi, psi_leaves)

    there = np.flatnonzero(np.bincount(code, minlength=k))
    groups = tuple(group(by.labels[g], code == g) for g in there.tolist())
    label = None if target is None else rows.labels[target]
    whole = group(None, np.ones(len(code), dtype=bool))
    return Groups(by.name, groups, whole, label, OTHERS if leaves is None else TRAINING)


def _scores(rows: EvaluatedRows, target: int | None) -> np.ndarray | None:
    """The number by which rows are ranked; None for several classes of which none is of interest."""
    if not rows.labels:
        return rows.predicted if rows.exposure is None else rows.predicted / rows.exposure
    return None if target is None else rows.probability[:, target]


def _in_cells(score: np.ndarray, weight: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """Weight between each two cuts."""
    return np.bincount(np.searchsorted(cuts, score), weight, len(cuts) + 1)
