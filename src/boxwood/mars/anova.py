"""The ANOVA decomposition: terms gathered by the features they hold, and what each group is worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import ParameterError
from .backward import LeastSquares
from .design import LEVELS, MISSING, Design
from .gcv import gcv
from .model import MARSModel
from .terms import Terms


@dataclass(frozen=True)
class Part:
    """One function of the decomposition (Friedman 1991, section 3.5).

    Attributes
    ----------
    features : tuple of str
    terms : tuple of int
        Positions among the chosen terms.
    spread : float
        Standard deviation of the function over the rows given, of the first response.
    share : float
        Its variance, divided by the sum of the variances of all parts.
    gcv_without : float
        GCV when these terms are left out and the others are fitted again; NaN when no rows with a response were given.
    """

    features: tuple[str, ...]
    terms: tuple[int, ...]
    spread: float
    share: float
    gcv_without: float


def groups(design: Design, kept: Terms) -> dict[tuple[int, ...], list[int]]:
    """Features -> the terms that hold exactly these, main effects first."""
    found: dict[tuple[int, ...], list[int]] = {}
    for m in range(1, len(kept)):
        features = tuple(sorted({design.columns[f[0]].feature for f in kept.factors(m)}))
        found.setdefault(features, []).append(m)
    return dict(sorted(found.items(), key=lambda item: (len(item[0]), item[0])))


def decomposition(model: MARSModel, basis: np.ndarray, y: np.ndarray | None = None) -> list[Part]:
    """The parts of a model.

    Parameters
    ----------
    model : MARSModel
    basis : float64, shape (n, M)
        The chosen terms at some rows.
    y : float64, shape (n, K), optional
        Their responses, to fit again without each part.
    """
    found = groups(model.design, model.kept)
    variances = {f: float(np.var(basis[:, m] @ model.coefficients[m, 0])) for f, m in found.items()}
    total = sum(variances.values())
    names = model.schema.names
    return [
        Part(
            tuple(names[i] for i in f), tuple(m), float(np.sqrt(variances[f])),
            variances[f] / total if total > 0 else 0.0, _without(model, basis, y, m),
        )
        for f, m in found.items()
    ]  # fmt: skip


def _without(model: MARSModel, basis: np.ndarray, y: np.ndarray | None, gone: list[int]) -> float:
    if y is None:
        return float("nan")
    q, r = np.linalg.qr(basis)
    z = q.T @ y
    problem = LeastSquares(r, z, float(np.sum((y - q @ z) ** 2)))
    left = [m for m in range(basis.shape[1]) if m not in gone]
    return float(gcv(problem.prefix_rss(left)[-1], len(y), len(left), model.penalty))


def effect(model: MARSModel, features: tuple[int, ...], points: list[np.ndarray], response: int = 0) -> np.ndarray:
    """The part of the model that holds exactly these features, at some values of them.

    Parameters
    ----------
    model : MARSModel
    features : tuple of int
        One or two.
    points : list of float64 arrays of shape (n,)
        A value for each feature: numbers, or positions of levels.
    response : int

    Returns
    -------
    float64, shape (n,)
        In units of y, or of log odds.

    Raises
    ------
    ParameterError
        No term holds exactly these features.
    """
    found = groups(model.design, model.kept)
    if features not in found:
        names = [model.schema.names[f] for f in features]
        raise ParameterError(f"no term of the model holds exactly the features {names}; anova() lists the parts.")
    table = model.coefficients if model.log_odds is None else model.log_odds
    columns = [np.zeros(len(points[0]))] * len(model.design)
    for j, column in enumerate(model.design.columns):
        if column.feature in features and column.what != MISSING:
            at = points[features.index(column.feature)]
            columns[j] = (
                np.isin(at, column.levels).astype(float) if column.what == LEVELS else _value(model, column, at)
            )
    part = model.kept.take(np.array(found[features])).values(columns)
    return part @ table[found[features], response]


def _value(model: MARSModel, column, at: np.ndarray) -> np.ndarray:
    """Numbers as they are; places of ordinal levels count from 1."""
    return at + 1.0 if model.schema[column.feature].levels else at
