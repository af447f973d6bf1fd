"""From columns and responses to a fitted MARS model: design, forward pass, backward pass, coefficients."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..data.columns import Columns
from .backward import LeastSquares, Subsets, best_subsets
from .design import Design, learn_design
from .folds import Folds, content_folds
from .forward import ForwardPass, ForwardRule, forward
from .gcv import gcv
from .learning import LearningRows, learning_rows
from .logistic import logistic
from .model import MARSModel, refuse_infinite, refuse_missing
from .monotone import constrained, constrained_subsets
from .rules import forward_rule, signs
from .terms import Terms

#: Quantiles of residuals that are kept for intervals.
_QUANTILES = 1001


@dataclass(frozen=True, eq=False)
class Problem:
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
class Fitted:
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


def fit_model(problem: Problem, task: str, labels: tuple, name: str, stored: dict, threads: int) -> MARSModel:
    """Fit a model.

    Parameters
    ----------
    problem : Problem
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
    if problem.weight is not None and not problem.weight.all():
        kept = problem.weight > 0.0
        problem = replace(problem, columns=problem.columns.take(kept), y=problem.y[kept], weight=problem.weight[kept])
    columns, y, settings = problem.columns, problem.y, problem.settings
    if settings["missing"] == "error":
        refuse_missing(columns)
    refuse_infinite(columns)
    design = learn_design(columns, y, problem.weight, settings["nominal"], settings["missing"])
    rule = forward_rule(settings, design)
    values = design.values(columns)
    fitted = _fit_rows(values, y, problem.weight, settings, rule, design, threads)
    folds = None
    if settings["backward"] == "cv" or settings["cv_folds"] is not None:
        folds = _cross_validate(values, problem, rule, design, threads)
    size, notes = _size(fitted, settings, folds)
    sign = signs(settings, design, fitted.terms)
    ranges = np.array([[x.min(), x.max()] for x in values]).reshape(len(values), 2)
    terms = fitted.terms.take(np.array(fitted.subsets.members[size - 1]))
    log_odds = None
    basis = terms.values(fitted.rows.columns)
    if labels and settings["logistic"]:
        log_odds, more = _log_odds(basis, fitted.rows, y, problem.weight, rule.as_earth)
        notes += more
    return MARSModel(
        task, stored, name, labels, design, fitted.terms,
        fitted.subsets, fitted.gcv, size, fitted.coefficients(size, sign), log_odds,
        fitted.rows.count(rule.as_earth), rule.penalty, ranges,
        None if folds is None else folds.quantiles(size, _QUANTILES),
        None if folds is None else folds.facts(), fitted.passed.stopped, tuple(notes), threads=threads,
    )  # fmt: skip


def _fit_rows(values, y, weight, settings: dict, rule: ForwardRule, design: Design, threads: int) -> Fitted:
    rows = learning_rows(values, y, weight, keep_order=rule.as_earth)
    passed = forward(rows, rule, threads)
    model = passed.model
    size = len(model.slots)
    triangle = np.zeros((size, size))
    for j, column in enumerate(model.triangle):
        triangle[: j + 1, j] = column
    problem = LeastSquares(triangle, np.array(model.with_y), max(model.rss, 0.0))
    terms = Terms.of([model.products[slot] for slot in model.slots], rows.p)
    sign = signs(settings, design, terms)
    method = settings["backward"] if settings["backward"] in ("plain", "exhaustive") else "exchange"
    subsets = best_subsets(problem, method) if sign is None else constrained_subsets(problem, sign)
    subsets = Subsets(subsets.members, subsets.rss * rows.scale**2)
    errors = gcv(subsets.rss, rows.count(rule.as_earth), np.arange(1, len(subsets.rss) + 1), rule.penalty)
    return Fitted(rows, passed, terms, problem, subsets, errors)


def _size(fitted: Fitted, settings: dict, folds: Folds | None) -> tuple[int, list[str]]:
    """How many terms to keep, and what to tell about it."""
    most = len(fitted.gcv) if settings["max_kept"] is None else min(settings["max_kept"], len(fitted.gcv))
    if settings["backward"] == "none":
        return most, []
    if settings["backward"] == "cv":
        return _first(-folds.r_squared[:most], 1.0), []
    return _first(fitted.gcv[:most], float(fitted.gcv[0])), []


def _first(errors: np.ndarray, scale: float) -> int:
    """The smallest size whose error is the least, up to rounding (SPECS 0.2)."""
    return 1 + int(np.argmax(errors <= errors.min() + 1e-13 * scale))


def _cross_validate(values, problem: Problem, rule: ForwardRule, design: Design, threads: int) -> Folds:
    """Fits the folds; rows left out are predicted by the best subset of every size."""
    settings, y, weight = problem.settings, problem.y, problem.weight
    n_folds = settings["cv_folds"] or 10
    parts = []
    for out in content_folds(values, y, n_folds, settings["random_state"]):
        keep = np.setdiff1d(np.arange(len(y)), out)
        if len(keep) < 2 or len(out) == 0:
            continue
        w = None if weight is None else weight[keep]
        fitted = _fit_rows([x[keep] for x in values], y[keep], w, settings, rule, design, threads)
        basis = fitted.terms.values([x[out] for x in values])
        sign = signs(settings, design, fitted.terms)
        said = [
            basis[:, list(members)] @ fitted.coefficients(k + 1, sign)
            for k, members in enumerate(fitted.subsets.members)
        ]
        parts.append((out, said))
    return Folds.of(parts, y, weight)


def _log_odds(
    basis: np.ndarray, rows: LearningRows, y: np.ndarray, weight, as_earth: bool
) -> tuple[np.ndarray, list[str]]:
    """Logistic coefficients of each indicator on the terms, and what to tell about them."""
    taken = y if rows.rows is None else y[rows.rows]
    w = None if weight is None else (weight if rows.rows is None else weight[rows.rows])
    found = [logistic(basis, taken[:, k], w, as_earth) for k in range(y.shape[1])]
    notes = []
    if not all(converged for _, converged in found):
        notes.append(
            "the terms tell some rows apart without error, so their probabilities are as close to 0 and 1 as the steps "
            "of the logistic fit came; a smaller max_terms gives softer ones."
        )
    return np.column_stack([coefficients for coefficients, _ in found]), notes
