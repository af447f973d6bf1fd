"""The evaluation of predictions: every figure beside the baseline, with its standard error; as text, frame, JSON."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from .._messages import Setting, must_be, remedy
from .._typing import Axes
from ..errors import ParameterError, check_one_of
from ..pictures.chart import chart_scene
from ..pictures.chart_axes import chart_axes
from ..pictures.options import THEMES
from ..pictures.svg import scene_svg
from ..views.table import frame_of
from .class_figures import by_class, class_figures
from .figure import FOLDS_95, Figure
from .grouping import RowGroups
from .groups import Groups, TrainingLeaves, compared_groups
from .number_figures import constant_of, number_figures, saved_losses
from .plots import chart_of
from .ranking import Ranking, defined_ranking
from .records import evaluation_dict, figure_records, finite
from .rows import EvaluatedRows, target_code
from .thresholds import Thresholds, thresholds
from .words import evaluation_text, headline

#: What the rows are: new ones, those the model was fitted to, or those left out of folds.
ROWS = ("evaluation data", "training set", "cross-validation", "held-out rows")
#: What their figures differ in.
_ALLOWED: dict[str, dict[str, Any]] = {ROWS[1]: {"se": math.nan}, ROWS[2]: {"width": FOLDS_95}}


@dataclass(frozen=True, eq=False)
class Evaluation:
    """How good predictions are: figures with standard errors, compared with a baseline.

    ``print`` shows all figures; ``evaluation["auc"]`` is one of them. The baseline predicts the same for every row: the
    most frequent class of the evaluated rows (with the class shares as probabilities), or their mean. Standard errors
    assume independently drawn rows. All figures use the sample weights. See docs/evaluation.md.

    Attributes
    ----------
    rows : EvaluatedRows
        Actual values, predictions and weights.
    of : {"evaluation data", "training set", "cross-validation", "held-out rows"}
        Which rows were evaluated. Figures on the training set are too optimistic and have no standard errors.
    target : int or None
        Number of the class for AUC, KS, lift and thresholds. None for regression, or if none of several was chosen.
    threshold : float or None
        If not None, the target class is predicted if its probability is at least this.
    response_name : str
        Name of the response.
    folds : (int, int) or None
        Of a cross-validation: how many folds were evaluated, and how many were drawn.
    by : tuple of RowGroups
        The groups of rows that ``groups`` compares.
    training : TrainingLeaves or None
        Where the rows of the fit are in the leaves, with which the groups are compared.

    Examples
    --------
    >>> from boxwood import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[1], [2], [3], [4]], ["no", "no", "yes", "yes"])
    >>> evaluation = model.evaluate([[1], [2], [3], [0]], ["no", "no", "yes", "yes"])
    >>> print(evaluation.headline)
    Not clearly better than always predicting no: accuracy 0.750 against 0.500 (difference 0.250 ± 0.217).
    >>> evaluation["accuracy"].value, evaluation["auc"].value, evaluation.confusion.tolist()
    (0.75, 0.75, [[2.0, 0.0], [1.0, 1.0]])
    """

    rows: EvaluatedRows
    of: str = "evaluation data"
    target: int | None = None
    threshold: float | None = None
    response_name: str = "y"
    folds: tuple[int, int] | None = None
    by: tuple[RowGroups, ...] = ()
    training: TrainingLeaves | None = None

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """The figures for all rows together, such as accuracy and AUC, or R² and the mean squared error."""
        return self._known(class_figures(self.rows, self.target) if self.rows.labels else number_figures(self.rows))

    @cached_property
    def by_class(self) -> tuple[Figure, ...]:
        """Precision, recall and F1 of each class; with more than two classes, also AUC, Gini, KS and lift."""
        return self._known(by_class(self.rows) if self.rows.labels else [])

    def _known(self, figures: list[Figure]) -> tuple[Figure, ...]:
        """Figures with the intervals that the rows allow: none of the training set, wider ones by folds."""
        return tuple(replace(figure, **_ALLOWED.get(self.of, {})) for figure in figures)

    def __getitem__(self, name: str) -> Figure:
        found = {figure.name: figure for figure in self.figures}
        if name in found:
            return found[name]
        raise ParameterError(f"there is no figure {name!r}; there are {', '.join(found)}.")

    @cached_property
    def groups(self) -> dict[str, Groups]:
        """The figures of each group of rows, by the name of the column that ``evaluate(by=...)`` named."""
        return {one.name: compared_groups(self, one) for one in self.by}

    @property
    def main(self) -> Figure:
        """What the headline compares with the baseline: the cost it minimises, accuracy, mse, pinball loss."""
        if not self.rows.labels:
            return self["mse" if self.rows.level is None else "pinball"]
        return self["accuracy" if self.rows.costs is None else "cost"]

    @property
    def constant(self) -> object:
        """The prediction of the baseline: the class most frequent, or of least cost; the mean, or the quantile."""
        return self.rows.labels[self.rows.best_constant] if self.rows.labels else constant_of(self.rows)

    @property
    def gain(self) -> tuple[float, float]:
        """By how much the main figure is better than the baseline's, and the standard error of this difference."""
        rows = self.rows
        better = rows.losses(rows.best_constant) - rows.losses(rows.predicted) if rows.labels else saved_losses(rows)
        mean = rows.mean(better)
        return mean, math.nan if self.of == "training set" else rows.standard_error(better - mean)

    @property
    def headline(self) -> str:
        """One sentence: whether the model is better than the baseline."""
        return headline(self)

    @property
    def confusion(self) -> np.ndarray:
        """Sums of weights by actual (row) and predicted (column) class, shape (K, K)."""
        rows, k = self.rows, len(self.rows.labels)
        return np.bincount(rows.truth * k + rows.predicted, rows.weight, k * k).reshape(k, k)

    def ranking(self, target_class: Any = None) -> Ranking:
        """Sort the rows by the predicted probability of a class, for curves and tables.

        Parameters
        ----------
        target_class : label, optional
            The class; default: that of the evaluation.

        Returns
        -------
        Ranking

        Raises
        ------
        ParameterError
            The response is numeric, there is no such class, or all rows or none are of this class.
        """
        k = self.target if target_class is None else target_code(self.rows.labels, target_class)
        return defined_ranking(self.rows, k, self.response_name)

    def thresholds(self, costs: Any = None, target_class: Any = None, amount_costs: Any = None) -> Thresholds:
        """Compare the thresholds at which a class can be predicted: hits, false alarms, misses, costs and profit.

        Parameters
        ----------
        costs : pair of numbers, optional
            Costs of a miss (false negative) and of a false alarm (false positive); default: 1 and 1.
        target_class : label, optional
            The class; default: that of the evaluation.
        amount_costs : pair of numbers, optional
            With ``evaluate(amount=...)``: what is added to both costs per unit of the amount; default: 1 and 0.

        Returns
        -------
        Thresholds
            Print it, or use ``to_frame()`` and ``best``.

        Raises
        ------
        ParameterError
            The response is numeric, there is no such class, or the costs are invalid.
        """
        found = thresholds(self.ranking(target_class), costs, amount_costs)
        return replace(found, se=found.se * math.nan) if self.of == ROWS[1] else found

    def at(self, threshold: float) -> Evaluation:
        """Evaluate the same rows with another threshold, for two classes.

        Parameters
        ----------
        threshold : float
            The target class is predicted if its probability is at least this.

        Returns
        -------
        Evaluation

        Raises
        ------
        ParameterError
            The response does not have two classes, or the threshold is not a number.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> model = CARTClassifier(pruning=None, max_depth=1).fit([[1], [1], [1], [2]], ["no", "no", "yes", "no"])
        >>> evaluation = model.evaluate([[1], [2]], ["yes", "no"])
        >>> evaluation["accuracy"].value, evaluation.at(0.3)["accuracy"].value
        (0.5, 1.0)
        """
        if len(self.rows.labels) != 2 or self.target is None:
            raise ParameterError(Setting("threshold"), " is for models of two classes; ", remedy("leave it out."))
        if isinstance(threshold, bool) or not isinstance(threshold, (int, float, np.number)) or math.isnan(threshold):
            raise ParameterError(must_be("threshold", "a number", threshold))
        above = self.rows.probability[:, self.target] >= threshold
        predicted = np.where(above, self.target, 1 - self.target)
        return replace(self, rows=replace(self.rows, predicted=predicted), threshold=float(threshold))

    def plot(self, kind: str, target_class: Any = None, ax: Axes | None = None) -> Axes:
        """Draw the evaluation with matplotlib; ``ax.figure.savefig("roc.svg")`` writes a file.

        Parameters
        ----------
        kind : str
            Of classes: "roc", "precision_recall", "calibration" (observed shares with 95 % intervals), "gains", "lift",
            "confusion", or "scores" (the distribution of the probabilities by class); of numbers: "residuals".
        target_class : label, optional
            The class; default: that of the evaluation.
        ax : matplotlib Axes, optional
            Axes to draw on; default: a new figure.

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
        """Draw the evaluation as SVG, without matplotlib.

        Parameters
        ----------
        kind, target_class
            As for :meth:`plot`.
        theme : {"auto", "light", "dark"}
            "auto" follows the light or dark mode of the viewer's system.

        Returns
        -------
        str
            One ``<svg>`` element.

        Raises
        ------
        ParameterError
            There is no such kind, class or theme.
        """
        check_one_of("theme", theme, THEMES)
        return scene_svg(chart_scene(chart_of(self, kind, target_class), f"{kind} of {self.response_name}"), theme)

    def to_records(self) -> dict[str, list[Any]]:
        """The figures as columns: figure, class (None for all), estimate, se, low, high (95 % interval), baseline."""
        return figure_records((*self.figures, *self.by_class))

    def to_frame(self, backend: str | None = None) -> Any:
        """The figures as a data frame, one row per figure, with the columns of :meth:`to_records`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.
        """
        return frame_of(self.to_records(), backend)

    def to_dict(self) -> dict[str, Any]:
        """The whole evaluation as plain Python values; undefined numbers are NaN."""
        return evaluation_dict(self)

    def to_json(self) -> str:
        """The whole evaluation as JSON; undefined numbers are null."""
        return json.dumps(finite(self.to_dict()), ensure_ascii=False, indent=2, allow_nan=False)

    def to_text(self) -> str:
        """The evaluation as text: headline, figures with the baseline, classes and confusion matrix."""
        return evaluation_text(self)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<Evaluation of {self.rows.count} rows: {self.headline}>"
