"""The ANOVA decomposition: terms grouped by their features, and the contribution of each group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import ParameterError
from ..statistics.overflow import may_overflow
from ..views.aligned import aligned
from ..views.figures import percent, same_decimals
from ..views.table import frame_of
from .backward import LeastSquares
from .design import ENCODINGS, LEVELS, MISSING, Design
from .gcv import gcv
from .model import MARSModel
from .terms import Terms


@dataclass(frozen=True)
class AnovaPart:
    """One function of the decomposition: the sum of the terms with exactly these features (Friedman 1991, equation 23).

    Attributes
    ----------
    features : tuple of str
        Names of the features, in column order.
    terms : tuple of int
        Positions of the terms among the selected ones (rows of ``to_frame("terms")``).
    spread : float
        Standard deviation of the function over the given rows, in units of y or in log odds. With several responses, it
        is the square root of the sum of their variances.
    share : float
        Variance of the function, divided by the sum of the variances of all parts; from 0 to 1.
    gcv_without : float
        GCV, in squared units of y, of ordinary least squares (without logistic step and monotone constraints) on all
        other terms, refitted to the given rows; NaN if no y was given.

    Examples
    --------
    >>> from boxwood import MARSRegressor, datasets
    >>> X = datasets.load("trees")
    >>> y = X.pop("volume")
    >>> part = MARSRegressor().fit(X, y).anova(X, y)[0]
    >>> part.features, part.terms, round(part.spread, 2), round(part.share, 3), round(part.gcv_without, 1)
    (('girth',), (1, 2), 14.81, 0.98, 211.2)
    """

    features: tuple[str, ...]
    terms: tuple[int, ...]
    spread: float
    share: float
    gcv_without: float


@dataclass(frozen=True)
class Anova:
    """The ANOVA decomposition of a model: print it, iterate over its parts, index it, or use ``to_frame()``.

    Attributes
    ----------
    parts : tuple of AnovaPart
        Main effects first, then interactions.
    gcv : float
        GCV, in squared units of y, of ordinary least squares on all terms, refitted to the given rows; NaN if no y was
        given.

    Examples
    --------
    >>> from boxwood import MARSRegressor, datasets
    >>> X = datasets.load("trees")
    >>> y = X.pop("volume")
    >>> print(MARSRegressor().fit(X, y).anova(X, y))
    function of  terms  spread   share  GCV without
    girth            2   14.81  98.0 %        211.2
    height           1    2.11   2.0 %         14.3
    GCV of the whole model: 11.3
    """

    parts: tuple[AnovaPart, ...]
    gcv: float

    def __len__(self) -> int:
        return len(self.parts)

    def __getitem__(self, i: int) -> AnovaPart:
        return self.parts[i]

    def __iter__(self) -> Iterator[AnovaPart]:
        return iter(self.parts)

    def to_frame(self, backend: str | None = None) -> Any:
        """The decomposition as a data frame, one row per part.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame, pyarrow.Table or dict of lists
            Columns: features (names, separated by commas), n_features, terms (number of terms), spread, share and
            gcv_without, as in ``AnovaPart``.

        Raises
        ------
        ParameterError, NotAvailableError
            There is no such backend, or it is not installed.

        Examples
        --------
        >>> from boxwood import MARSRegressor, datasets
        >>> X = datasets.load("trees")
        >>> y = X.pop("volume")
        >>> MARSRegressor().fit(X, y).anova(X).to_frame("dict")["features"]
        ['girth', 'height']
        """
        return frame_of(
            {
                "features": [", ".join(part.features) for part in self],
                "n_features": [len(part.features) for part in self],
                "terms": [len(part.terms) for part in self],
                "spread": [part.spread for part in self],
                "share": [part.share for part in self],
                "gcv_without": [part.gcv_without for part in self],
            },
            backend,
        )

    def __str__(self) -> str:
        known = not np.isnan(self.gcv)
        spreads = same_decimals([part.spread for part in self])
        without = same_decimals([part.gcv_without for part in self] + [self.gcv])
        rows = [["function of", "terms", "spread", "share", *(["GCV without"] if known else [])]]
        for part, spread, gcv_without in zip(self, spreads, without, strict=False):
            row = [", ".join(part.features), str(len(part.terms)), spread, percent(part.share)]
            rows.append([*row, *([gcv_without] if known else [])])
        return "\n".join(aligned(rows) + ([f"GCV of the whole model: {without[-1]}"] if known else []))


def groups(design: Design, kept: Terms) -> dict[tuple[int, ...], list[int]]:
    """Features -> the terms that hold exactly these, main effects first."""
    found: dict[tuple[int, ...], list[int]] = {}
    for m in range(1, len(kept)):
        features = tuple(sorted({design.columns[f[0]].feature for f in kept.factors(m)}))
        found.setdefault(features, []).append(m)
    return dict(sorted(found.items(), key=lambda item: (len(item[0]), item[0])))


@may_overflow  # squares beyond float64 are infinite
def decomposition(
    model: MARSModel, basis: np.ndarray, y: np.ndarray | None = None, weight: np.ndarray | None = None
) -> Anova:
    """The parts of a model.

    Parameters
    ----------
    model : MARSModel
    basis : float64, shape (n, M)
        The chosen terms at some rows.
    y : float64, shape (n, K), optional
        Their responses, to fit again without each part.
    weight : float64, shape (n,), optional
        Of the rows, in the variances and in the fits.
    """
    found = groups(model.design, model.kept)
    table = model.predicting
    variances = {f: _variance(basis[:, m] @ table[m], weight) for f, m in found.items()}
    total = sum(variances.values())
    names = model.schema.names
    fits = None if y is None else _PartFits.of(model, basis, y, weight)
    parts = tuple(
        AnovaPart(
            tuple(names[i] for i in f), tuple(m), float(np.sqrt(variances[f])),
            variances[f] / total if total > 0 else 0.0, float("nan") if fits is None else fits.gcv_without(m),
        )
        for f, m in found.items()
    )  # fmt: skip
    return Anova(parts, float("nan") if fits is None else fits.gcv_without([]))


def _variance(values: np.ndarray, weight: np.ndarray | None) -> float:
    """Sum over the columns of their variances."""
    mean = np.average(values, axis=0, weights=weight)
    return float(np.sum(np.average((values - mean) ** 2, axis=0, weights=weight)))


@dataclass(frozen=True, eq=False)
class _PartFits:
    """Least squares on all terms but some."""

    problem: LeastSquares
    n: float
    penalty: float

    @staticmethod
    def of(model: MARSModel, basis: np.ndarray, y: np.ndarray, weight: np.ndarray | None) -> _PartFits:
        """The problem in triangular form; a weight of 3 is three rows, but earth counts rows."""
        n = float(len(y))
        if weight is not None:
            inside = weight > 0
            n = float(np.count_nonzero(inside) if model.settings["compat"] == "earth" else weight.sum())
            root = np.sqrt(weight[inside])[:, None]
            basis, y = basis[inside] * root, y[inside] * root
        q, r = np.linalg.qr(basis)
        z = q.T @ y
        return _PartFits(LeastSquares(r, z, float(np.sum((y - q @ z) ** 2))), n, model.penalty)

    def gcv_without(self, removed: list[int]) -> float:
        left = [m for m in range(self.problem.size) if m not in removed]
        return float(gcv(self.problem.prefix_rss(left)[-1], self.n, len(left), self.penalty))


@may_overflow
def effect(model: MARSModel, features: tuple[int, ...], points: list[np.ndarray], response: int = 0) -> np.ndarray:
    """The part of the model that holds exactly these features, at some values of them.

    Parameters
    ----------
    model : MARSModel
    features : tuple of int
        In ascending order.
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
    columns = [np.zeros(len(points[0]))] * len(model.design)
    for j, column in enumerate(model.design.columns):
        if column.feature in features and column.what != MISSING:
            at, encoding = points[features.index(column.feature)], ENCODINGS.of(model.schema[column.feature])
            columns[j] = np.isin(at, column.levels).astype(float) if column.what == LEVELS else encoding.encoded(at)
    part = model.kept.take(np.array(found[features])).values(columns, len(points[0]))
    return part @ model.predicting[found[features], response]
