"""The evaluation of predictions: every figure beside the baseline, with its standard error; as text, frame, JSON."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from .._typing import Axes
from ..errors import ParameterError, check_one_of
from ..pictures.chart import chart_scene
from ..pictures.chart_axes import chart_axes
from ..pictures.options import THEMES
from ..pictures.svg import scene_svg
from ..views.table import frame_of
from .class_figures import by_class, class_figures
from .figure import Figure
from .number_figures import baseline_of, number_figures
from .plots import chart_of
from .ranking import Ranking, ranking
from .rows import EvaluatedRows, target_code
from .thresholds import Thresholds, thresholds
from .words import evaluation_text, headline

#: What the rows are: new ones, those the model was fitted to, or those left out of folds.
ROWS = ("evaluation data", "training set", "cross-validation", "held-out rows")


@dataclass(frozen=True, eq=False)
class Evaluation:
    """How good predictions are.

    Every figure stands beside that of the baseline, which predicts the same for every row: the most frequent class (the
    shares of the classes as probabilities), or the mean, both of the evaluated rows. Standard errors are of independent
    rows; weights count in all of them.

    Attributes
    ----------
    rows : EvaluatedRows
    of : {"evaluation data", "training set", "cross-validation", "held-out rows"}
        What the rows are. Figures on the training set are too optimistic and have no standard errors.
    target : int or None
        Position of the class that AUC, KS, lift and thresholds are about; None for numbers and for more than two
        classes without one.
    threshold : float or None
        The target class was predicted where its probability is at least this.
    response_name : str
    """

    rows: EvaluatedRows
    of: str = "evaluation data"
    target: int | None = None
    threshold: float | None = None
    response_name: str = "y"

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """The figures of all rows together."""
        found = class_figures(self.rows, self.target) if self.rows.labels else number_figures(self.rows)
        return tuple(map(self._without_training_se, found))

    @cached_property
    def by_class(self) -> tuple[Figure, ...]:
        """Precision, recall and F1 of each class; of more than two also how well each is ranked first."""
        return tuple(map(self._without_training_se, by_class(self.rows) if self.rows.labels else ()))

    def _without_training_se(self, figure: Figure) -> Figure:
        return replace(figure, se=math.nan) if self.of == "training set" else figure

    def __getitem__(self, name: str) -> Figure:
        for figure in self.figures:
            if figure.name == name:
                return figure
        raise ParameterError(
            f"there is no figure {name!r}; there are {', '.join(figure.name for figure in self.figures)}."
        )

    @property
    def main(self) -> Figure:
        """The figure by which the model is better than the baseline or not: accuracy, or the mean squared error."""
        return self["accuracy" if self.rows.labels else "mse"]

    @property
    def constant(self) -> object:
        """What the baseline always predicts: the most frequent class, or the mean."""
        if self.rows.labels:
            return self.rows.labels[self.rows.most_frequent]
        return self.rows.mean(self.rows.truth)

    @property
    def gain(self) -> tuple[float, float]:
        """How much better than the baseline the main figure is, and the standard error of this, row by row."""
        rows = self.rows
        if rows.labels:
            better = (rows.truth == rows.predicted) * 1.0 - (rows.truth == rows.most_frequent)
        else:
            better = (rows.truth - baseline_of(rows)) ** 2 - (rows.truth - rows.predicted) ** 2
        mean = rows.mean(better)
        return mean, math.nan if self.of == "training set" else rows.standard_error(better - mean)

    @property
    def headline(self) -> str:
        """One sentence: whether the model is better than always predicting the same."""
        return headline(self)

    @property
    def confusion(self) -> np.ndarray:
        """Weights, actual by predicted class, shape (K, K); labels that the model does not know are the last row."""
        k = len(self.rows.labels)
        return np.bincount(self.rows.truth * k + self.rows.predicted, self.rows.weight, k * k).reshape(k, k)

    def ranking(self, target_class: Any = None) -> Ranking:
        """The rows by the probability of a class, for curves and tables.

        Raises
        ------
        ParameterError
            There are no classes or no such class, or the data hold none of it or nothing else.
        """
        if not self.rows.labels:
            raise ParameterError(f"thresholds and curves are of classes; {self.response_name!r} is numeric.")
        if self.rows.probability is None:
            raise ParameterError(
                "thresholds and curves need probabilities, of which none were kept; evaluate new rows."
            )
        k = self.target
        if target_class is not None or k is None:
            k = target_code(self.rows.labels, self.rows.known, target_class)
        found = ranking(self.rows, k)
        if not found.defined:
            raise ParameterError(
                f"class {found.label!r} cannot be ranked: all evaluated rows are of this class, or none; evaluate "
                "rows of it and others."
            )
        return found

    def thresholds(self, costs: Any = (1.0, 1.0), target_class: Any = None) -> Thresholds:
        """What each threshold of the probability of a class finds, misses and costs.

        Parameters
        ----------
        costs : pair of numbers
            Of a miss (false negative) and of a false alarm (false positive).
        target_class : label, optional
            The target class; by default that of the evaluation.

        Returns
        -------
        Thresholds
            ``print`` it, ``to_frame()``, ``best``.

        Raises
        ------
        ParameterError
            There are no classes, no such class, or costs that cannot be used.
        """
        return thresholds(self.ranking(target_class), costs)

    def at(self, threshold: float) -> Evaluation:
        """The same rows, the target class predicted where its probability is at least ``threshold``; for two classes.

        Raises
        ------
        ParameterError
            The response does not have two classes, or the threshold is not a number.
        """
        if self.rows.known != 2 or self.target is None:
            raise ParameterError("threshold is for models of two classes; leave it out.")
        if isinstance(threshold, bool) or not isinstance(threshold, (int, float, np.number)) or math.isnan(threshold):
            raise ParameterError(f"threshold must be a number; got {threshold!r}.")
        above = self.rows.probability[:, self.target] >= threshold
        predicted = np.where(above, self.target, 1 - self.target)
        return replace(self, rows=replace(self.rows, predicted=predicted), threshold=float(threshold))

    def plot(self, kind: str, target_class: Any = None, ax: Axes | None = None) -> Axes:
        """Draw the evaluation with matplotlib; ``ax.figure.savefig("roc.svg")`` writes a file.

        Parameters
        ----------
        kind : str
            Classes: "roc", "precision_recall", "calibration" (observed shares with 95 % intervals), "gains", "lift",
            "confusion", "scores" (their distribution by class). Numbers: "residuals".
        target_class : label, optional
            The target class; by default that of the evaluation.
        ax : matplotlib Axes, optional
            Default: a new figure.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ParameterError
            There is no such kind or class.
        NotAvailableError
            matplotlib is not installed.
        """
        return chart_axes(chart_of(self, kind, target_class), ax)

    def to_svg(self, kind: str, target_class: Any = None, theme: str = "auto") -> str:
        """The same picture as one ``<svg>`` element, without matplotlib.

        Parameters
        ----------
        kind, target_class
            As for :meth:`plot`.
        theme : {"auto", "light", "dark"}
            "auto": light, and dark where the reader's system prefers it.

        Raises
        ------
        ParameterError
            There is no such kind, class or theme.
        """
        check_one_of("theme", theme, THEMES)
        return scene_svg(chart_scene(chart_of(self, kind, target_class), f"{kind} of {self.response_name}"), theme)

    def to_records(self) -> dict[str, list[Any]]:
        """One entry a figure: figure, class (None for all), value, se, low, high (95 % interval), baseline."""
        figures = (*self.figures, *self.by_class)
        return {
            "figure": [f.name for f in figures],
            "class": [None if f.label is None else str(f.label) for f in figures],
            "estimate": [f.value for f in figures],
            "se": [f.se for f in figures],
            "low": [f.low for f in figures],
            "high": [f.high for f in figures],
            "baseline": [f.baseline for f in figures],
        }

    def to_frame(self, backend: str | None = None) -> Any:
        """The figures as a data frame, one row a figure; columns as in :meth:`to_records`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.
        """
        return frame_of(self.to_records(), backend)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; numbers that are not defined are NaN."""
        gain, se = self.gain
        found = {
            "headline": self.headline,
            "of": self.of,
            "rows": self.rows.count,
            "weight": float(self.rows.weight.sum()),
            "baseline": {"always": self.constant, "gain": gain, "gain_se": se},
            "figures": {f.name: _fields(f) for f in self.figures},
        }
        if not self.rows.labels:
            return found
        labels, known = list(self.rows.labels[: self.rows.known]), self.rows.known
        table = self.confusion[:, :known]
        table = table.astype(np.int64) if (table == np.floor(table)).all() else table
        found |= {
            "labels": labels,
            "target_class": None if self.target is None else labels[self.target],
            "threshold": self.threshold,
            "confusion": table[:known].tolist(),
            "unknown": table[known].tolist() if len(table) > known else [0] * known,
            "classes": [
                {"label": label} | {f.name: _fields(f) for f in self.by_class if f.label is label} for label in labels
            ],
        }
        return found

    def to_json(self) -> str:
        """The same as JSON; what is not defined is null."""
        return json.dumps(_finite(self.to_dict()), ensure_ascii=False, indent=2, allow_nan=False)

    def to_text(self) -> str:
        """The headline, the figures beside the baseline, the classes and the confusion matrix."""
        return evaluation_text(self)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<Evaluation of {self.rows.count} rows: {self.headline}>"


def _fields(figure: Figure) -> dict[str, float]:
    return {"value": figure.value, "se": figure.se, "low": figure.low, "high": figure.high, "baseline": figure.baseline}


def _finite(value: Any) -> Any:
    """Plain values without the numbers that JSON does not know."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
