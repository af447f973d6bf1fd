"""The result of a comparison as one table (score, standard error, size, time) and one plot."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..._typing import Axes
from ...errors import ParameterError, check_one_of
from ...pictures.chart import Chart, Series, chart_scene
from ...pictures.chart_axes import chart_axes
from ...pictures.options import THEMES
from ...pictures.svg import scene_svg
from ...views.aligned import aligned
from ...views.figures import number, signed
from ...views.table import frame_of
from ...views.words import amount, plain
from .price import Price


@dataclass(frozen=True, eq=False)
class Entry:
    """One model of a :class:`Comparison`.

    Attributes
    ----------
    name : str
        Name of the model in the comparison.
    score, se : float
        Cross-validated score over all held-out rows, and its standard error.
    folds : tuple of float
        Score on each fold.
    leaves, depth : int or float
        Size of the model fitted to all rows, a whole number; NaN if the model is not a tree or failed.
    leaves_in_folds : float
        Mean number of leaves of the models fitted without a fold.
    seconds : float
        Mean time of these fits.
    behind, behind_se : float
        Score minus that of the best model, and the standard error of this difference, computed row by row.
    error : str
        Why the model could not be compared; "" otherwise.
    loss : float64, shape (n,), or None
        Loss of each held-out row.
    """

    name: str
    score: float = math.nan
    se: float = math.nan
    folds: tuple[float, ...] = ()
    leaves: float = math.nan
    depth: float = math.nan
    leaves_in_folds: float = math.nan
    seconds: float = math.nan
    behind: float = math.nan
    behind_se: float = math.nan
    error: str = ""
    loss: np.ndarray | None = field(default=None, repr=False)

    def against(self, best: float, se: float) -> Entry:
        """The entry with its distance from the best score."""
        return replace(self, behind=self.score - best, behind_se=se)


@dataclass(frozen=True)
class Baseline:
    """The score of a constant prediction.

    Attributes
    ----------
    always : str
        The prediction as text: the most frequent class, or the mean.
    score : float
        Its score on the same rows.
    """

    always: str
    score: float


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several models compared by cross-validation on the same folds, as returned by :func:`boxwood.compare`.

    ``print`` shows a table; ``comparison["cart"]`` is the entry of one model.

    Attributes
    ----------
    entries : tuple of Entry
        The models, in the order given.
    scoring : str
        Name of the score, such as "accuracy".
    n_folds : int
        Number of folds.
    larger_is_better : bool
        Whether a larger score is better.
    notes : tuple of str
        Notes of the fits.
    baseline : Baseline or None
        The score of always predicting the most frequent class, or the mean, on the same rows.
    price : Price or None
        The best tree against the best of "boosting" and "forest", if these were compared.

    Examples
    --------
    >>> import boxwood
    >>> X = boxwood.datasets.load("iris")
    >>> y = X.pop("species")
    >>> comparison = boxwood.compare(X, y, ["cart", "cart/none"], folds=5)
    >>> print(comparison.to_text(times=False))
    model            accuracy     se          behind  leaves  depth
    cart                0.933  0.020  -0.013 ± 0.009       5      4
    cart/none           0.947  0.018                       9      5
    (always setosa)     0.333
    >>> comparison.best.name, comparison["cart"].leaves
    ('cart/none', 5)
    """

    entries: tuple[Entry, ...]
    scoring: str
    n_folds: int
    larger_is_better: bool
    notes: tuple[str, ...] = ()
    baseline: Baseline | None = None
    price: Price | None = None

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, name: str) -> Entry:
        for entry in self.entries:
            if entry.name == name:
                return entry
        raise ParameterError(f"there is no model {name!r}; there are {', '.join(e.name for e in self.entries)}.")

    @property
    def best(self) -> Entry:
        """The model with the best score, the first of equal ones.

        Raises
        ------
        ParameterError
            Every model failed.
        """
        sign = 1.0 if self.larger_is_better else -1.0
        alive = [e for e in self.entries if not math.isnan(e.score)]
        if not alive:
            raise ParameterError("no model could be compared; the error of each entry gives the reason.")
        return max(alive, key=lambda e: sign * e.score)

    def to_records(self) -> dict[str, list[Any]]:
        """The table as columns, one value per model.

        Returns
        -------
        dict of str to list
            model, the score (under its name), se, behind, behind_se, leaves, depth, leaves_in_folds, seconds and error;
            :class:`Entry` describes them.
        """
        entries = self.entries
        return {
            "model": [e.name for e in entries],
            self.scoring: [e.score for e in entries],
            "se": [e.se for e in entries],
            "behind": [e.behind for e in entries],
            "behind_se": [e.behind_se for e in entries],
            "leaves": [e.leaves for e in entries],
            "depth": [e.depth for e in entries],
            "leaves_in_folds": [e.leaves_in_folds for e in entries],
            "seconds": [e.seconds for e in entries],
            "error": [e.error or None for e in entries],
        }

    def to_frame(self, backend: str | None = None) -> Any:
        """The table as a data frame, one row per model, with the columns of :meth:`to_records`.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.
        """
        return frame_of(self.to_records(), backend)

    def cells(self, times: bool = True) -> tuple[list[str], list[list[str]]]:
        """Header and rows of the table as text; ``times=False`` omits the times, which differ from run to run."""
        head = ["model", self.scoring, "se", "behind", "leaves", "depth", *(["seconds"] if times else [])]
        rows = []
        for e in self.entries:
            if e.error:
                rows.append([plain(e.name), "failed", *[""] * (len(head) - 2)])
                continue
            behind = "" if e.behind == 0.0 else f"{signed(e.behind)} ± {number(e.behind_se, e.behind)}"
            cells = [plain(e.name), number(e.score), number(e.se, e.score), behind, _count(e.leaves), _count(e.depth)]
            rows.append([*cells, *([f"{e.seconds:.3f}"] if times else [])])
        if self.baseline is not None:
            words = f"(always {self.baseline.always})"
            rows.append([words, number(self.baseline.score), *[""] * (len(head) - 2)])
        return head, rows

    def to_text(self, times: bool = True) -> str:
        """The table as text; ``times=False`` omits the times, which differ from run to run."""
        head, rows = self.cells(times)
        lines = aligned([head, *rows])
        lines += [f"{plain(e.name)} failed, {plain(e.error)}" for e in self.entries if e.error]
        lines += [] if self.price is None else [self.price.words(self.scoring)]
        return "\n".join([*lines, *map(plain, self.notes)])

    def __str__(self) -> str:
        return self.to_text()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the score and standard error of each model with matplotlib; a vertical line marks the baseline.

        A model that failed has no mark.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on; default: a new figure.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        NotAvailableError
            matplotlib is not installed.

        Warns
        -----
        FontWarning
            No installed font has some of the characters of the names.
        """
        return chart_axes(self._chart(), ax)

    def to_svg(self, theme: str = "auto") -> str:
        """Draw the same chart as SVG, without matplotlib.

        Parameters
        ----------
        theme : {"auto", "light", "dark"}
            "auto" follows the light or dark mode of the viewer's system.

        Returns
        -------
        str
            One ``<svg>`` element.

        Raises
        ------
        ParameterError
            There is no such theme.
        """
        check_one_of("theme", theme, THEMES)
        return scene_svg(chart_scene(self._chart(), "comparison of models"), theme)

    def _chart(self) -> Chart:
        """Score and one standard error of each model, no mark where it failed; the baseline as an upright line."""
        alive = [not math.isnan(e.score) for e in self.entries]
        shown = [e for e, is_alive in zip(self.entries, alive, strict=True) if is_alive]
        score, se = np.array([e.score for e in shown]), np.array([e.se for e in shown])
        words = tuple("" if math.isnan(e.leaves) else f"{_count(e.leaves)} leaves" for e in shown)
        places = np.flatnonzero(alive).astype(np.float64)
        lines = [Series(score, places, "", "mark", "", True, np.array([se, se]), True, words)]
        if self.baseline is not None and not math.isnan(self.baseline.score):
            ends = np.array([-0.5, len(self) - 0.5])
            name = f"always {self.baseline.always}"
            lines.append(Series(np.full(2, self.baseline.score), ends, name, "faint", ":"))
        better = "larger" if self.larger_is_better else "smaller"
        xlabel = f"{self.scoring}, {self.n_folds} folds ({better} is better; bar: one standard error)"
        names = tuple(
            plain(e.name) if ok else f"{plain(e.name)} (failed)" for e, ok in zip(self.entries, alive, strict=True)
        )
        return Chart(xlabel, "", tuple(lines), names=names)


def _count(value: float) -> str:
    return "" if math.isnan(value) else amount(value)
