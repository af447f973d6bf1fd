"""From columns and responses to a fitted MARS model: design, forward pass, backward pass, coefficients."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

import numpy as np

from .._messages import Message, Setting
from ..data.columns.columns import Columns
from ..errors import ParameterError
from ..growing.progress import ended
from .backward import LeastSquares, Subsets, best_subsets
from .candidates import ForwardRule
from .design import Design, learn_design
from .folds import FoldModel, Folds, content_folds
from .forward import ForwardPass, forward
from .gcv import gcv
from .learning import LearningRows, content_order, learning_rows
from .logistic import logistic
from .model import MARSModel
from .monotone import constrained, constrained_subsets
from .refusals import refuse_far, refuse_infinite, refuse_missing
from .rules import forward_rule, signs
from .terms import Terms

log = logging.getLogger("boxwood")

#: Quantiles of residuals that are kept for intervals.
_QUANTILES = 1001

#: The note when weights are so small that GCV allows only the constant.
_LIGHT = (
    "the weights add up to {:g} and count as that many rows, too few for any term but the constant; scale them so that "
    "they add up to the number of rows, or set "
)

#: The note when logistic coefficients grow without end.
_SEPARATED = Message(
    "the terms separate some rows without error, so the logistic coefficients would grow without bound. The fit was "
    "stopped early, and the probabilities of these rows are close to 0 and 1. For less extreme probabilities, set a "
    "smaller ", Setting("max_terms"), ".",
)  # fmt: skip

#: The note when all responses are equal.
_ONE_CLASS = (
    "all rows with a positive weight belong to one class, so the model is a constant and always predicts that class."
)


@dataclass(frozen=True, eq=False)
class SplineProblem:
    """What is to be fitted.

    Attributes
    ----------
    columns : Columns
    y : float64, shape (n, K)
        Numbers, or indicators of classes.
    weight : float64, shape (n,), or None
    settings : dict
        Checked.
    """

    columns: Columns
    y: np.ndarray
    weight: np.ndarray | None
    settings: dict


@dataclass(frozen=True, eq=False)
class FittedPasses:
    """Both passes over one set of rows."""

    rows: LearningRows
    passed: ForwardPass
    terms: Terms
    problem: LeastSquares
    subsets: Subsets
    gcv: np.ndarray

    def coefficients(self, size: int, sign: np.ndarray | None) -> np.ndarray:
        """Coefficients of the best subset of a size, in the units of y."""
        chosen = list(self.subsets.members[size - 1])
        problem = self.problem
        found = problem.coefficients(chosen) if sign is None else constrained(problem, chosen, sign)[0]
        found = found * self.rows.scale
        found[0] += self.rows.center
        return found


@dataclass(frozen=True, eq=False)
class _Fits:
    """What all fits of one problem share: that of all rows, and those of folds."""

    values: list[np.ndarray]
    y: np.ndarray
    weight: np.ndarray | None
    settings: dict
    rule: ForwardRule
    design: Design
    threads: int

    def order(self, rows: np.ndarray | None = None) -> np.ndarray | None:
        """The order in which sums are taken: one derived from the data, or as earth the order of the rows."""
        return rows if self.rule.as_earth else content_order(self.values, self.y, self.weight, rows)

    def fit(self, rows: np.ndarray | None = None) -> FittedPasses:
        """Both passes over all rows, or some."""
        settings, rule = self.settings, self.rule
        learned = learning_rows(self.values, self.y, self.weight, self.order(rows))
        passed = forward(learned, rule, self.threads)
        model = passed.model
        problem = LeastSquares(*model.triangular(), max(model.rss, 0.0))
        terms = Terms.of([model.products[slot] for slot in model.slots], learned.p)
        sign = self.signs(terms)
        method = settings["backward"] if settings["backward"] in ("plain", "exhaustive") else "exchange"
        subsets = best_subsets(problem, method) if sign is None else constrained_subsets(problem, sign)
        subsets = Subsets(subsets.members, subsets.rss * learned.scale**2)
        errors = gcv(subsets.rss, learned.count(rule.as_earth), np.arange(1, len(subsets.rss) + 1), rule.penalty)
        return FittedPasses(learned, passed, terms, problem, subsets, errors)

    def signs(self, terms: Terms) -> np.ndarray | None:
        """Signs that the coefficients of terms must have."""
        return signs(self.settings, self.design, terms)

    def cross_validate(self) -> Folds:
        """Fits the folds and predicts the held-out rows of each."""
        n, models = len(self.y), []
        if n < 2:
            raise ParameterError(
                "cross-validation (", Setting("cv_folds"), ", ", Setting("backward", "cv"),
                f") needs at least 2 rows; there is {n}.",
            )  # fmt: skip
        n_folds = min(self.settings["cv_folds"] or 10, n)
        salt = self.settings["random_state"]
        for out in content_folds(self.values, self.y, self.weight, n_folds, salt, self.threads):
            fitted = self.fit(np.setdiff1d(np.arange(n), out))
            sign, members = self.signs(fitted.terms), fitted.subsets.members
            found = [fitted.coefficients(k, sign) for k in range(1, len(members) + 1)]
            models.append(FoldModel(out, fitted.terms, members, found))
            ended("fold", n_folds, "mars: fold %d of %d", len(models), n_folds)
        return Folds.of(models, self.values, self.y, self.weight)


def fit_model(problem: SplineProblem, task: str, labels: tuple, name: str, stored: dict, threads: int) -> MARSModel:
    """Fit a model.

    Parameters
    ----------
    problem : SplineProblem
    task : {"classification", "regression"}
    labels : tuple
    name : str
        Name of the response.
    stored : dict
        The settings as a model file can hold them.
    threads : int

    Raises
    ------
    ParameterError, MissingValueError
    """
    weight, settings = problem.weight, problem.settings
    inside = None if weight is None or weight.all() else weight > 0.0
    if settings["missing"] == "error":
        refuse_missing(problem.columns, inside)
    refuse_infinite(problem.columns, inside)
    if inside is not None:
        problem = replace(problem, columns=problem.columns.take(inside), y=problem.y[inside], weight=weight[inside])
    columns, y, weight = problem.columns, problem.y, problem.weight
    refuse_far(columns, y, weight, settings["max_degree"])
    if settings["compat"] == "earth" and weight is not None:
        equal = np.abs(weight - weight[0]) <= 1e-8 * min(1.0, weight[0])
        weight = None if equal.all() else weight  # earth ignores equal weights
    design = learn_design(columns, y, weight, settings["nominal"], settings["missing"])
    rule = forward_rule(settings, design)
    fits = _Fits(design.values(columns), y, weight, settings, rule, design, threads)
    needed = settings["backward"] == "cv" or settings["cv_folds"] is not None
    folds = fits.cross_validate() if needed else None
    fitted = fits.fit()
    size = _size(fitted, settings, folds)
    notes, log_odds = _of_weights(fitted, weight), None
    if labels and settings["logistic"]:
        kept = fitted.terms.take(np.array(fitted.subsets.members[size - 1]))
        log_odds, more = _log_odds(kept.values(fitted.rows.columns, fitted.rows.n), fits)
        notes += more
    return MARSModel(
        task, stored, name, labels, design, fitted.terms,
        fitted.subsets, fitted.gcv, size, fitted.coefficients(size, fits.signs(fitted.terms)), log_odds,
        fitted.rows.count(rule.as_earth), rule.penalty,
        np.array([[x.min(), x.max()] for x in fits.values]).reshape(len(fits.values), 2) + 0.0,  # -0.0 is 0.0
        None if folds is None else folds.quantiles(fits.values, y, size, _QUANTILES),
        None if folds is None else folds.summary(), fitted.passed.stopped, notes, threads=threads,
    )  # fmt: skip


def _size(fitted: FittedPasses, settings: dict, folds: Folds | None) -> int:
    """How many terms to keep."""
    most = len(fitted.gcv) if settings["max_kept"] is None else min(settings["max_kept"], len(fitted.gcv))
    if settings["backward"] == "none":
        return most
    if settings["backward"] == "cv":
        return _first(-folds.r_squared[:most], 1.0)
    return _first(fitted.gcv[:most], float(fitted.gcv[0]))


def _first(errors: np.ndarray, scale: float) -> int:
    """The smallest size whose error is the least, up to rounding (docs/reproducibility.md)."""
    return 1 + int(np.argmax(errors <= errors.min() + 1e-13 * scale))


def _of_weights(fitted: FittedPasses, weight: np.ndarray | None) -> tuple[str, ...]:
    if weight is None or len(fitted.gcv) == 1 or np.isfinite(fitted.gcv[1]) or len(weight) <= weight.sum():
        return ()
    return (Message(_LIGHT.format(weight.sum()), Setting("penalty", -1), "."),)


def _log_odds(basis: np.ndarray, fits: _Fits) -> tuple[np.ndarray, tuple[str, ...]]:
    """Logistic coefficients of each indicator on the terms, and the note about them."""
    order = fits.order()
    y = fits.y if order is None else fits.y[order]
    w = fits.weight if fits.weight is None or order is None else fits.weight[order]
    found = [logistic(basis, y[:, k], w, fits.rule.as_earth) for k in range(y.shape[1])]
    held = y if w is None else y[w > 0]
    constant = held.min(axis=0) == held.max(axis=0)  # its coefficient grows without end, whatever the terms are
    separated = any(not (converged or of_one) for (_, converged), of_one in zip(found, constant, strict=True))
    notes = (_ONE_CLASS,) if constant.all() else (_SEPARATED,) if separated else ()
    return np.column_stack([coefficients for coefficients, _ in found]), notes
