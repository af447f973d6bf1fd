"""Pictures of a model: main effects as lines, pairs as surfaces; needs matplotlib."""

from __future__ import annotations

import numpy as np

from ..data.schema import NUMERIC
from ..errors import NotAvailableError
from .anova import effect, groups
from .model import MARSModel

#: Points along a line, and along each side of a surface.
_LINE, _SIDE = 200, 40


def plot(model: MARSModel, response: int = 0):
    """Every part of the decomposition of one or two features, as small pictures in one figure.

    Parameters
    ----------
    model : MARSModel
    response : int
        Which response, or class.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    NotAvailableError
        matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise NotAvailableError("pictures need matplotlib; install with: pip install 'boxwood[plot]'.") from error
    parts = [features for features in groups(model.design, model.kept) if len(features) <= 2]
    wide = max(1, min(3, len(parts)))
    high = max(1, -(-len(parts) // wide))
    figure = Figure(figsize=(4.0 * wide, 3.2 * high), layout="constrained")
    for place, features in enumerate(parts, 1):
        draw = _line if len(features) == 1 else _surface
        draw(model, features, figure.add_subplot(high, wide, place), response)
    if not parts:
        figure.add_subplot(1, 1, 1).set_title(f"{model.response_name}: a constant")
    return figure


def _points(model: MARSModel, feature: int, count: int) -> tuple[np.ndarray, list[str]]:
    """Values to show, and the names of levels if it has them."""
    known = model.schema[feature]
    if known.kind != NUMERIC:
        return np.arange(float(len(known.levels))), [str(level) for level in known.levels]
    j = next(j for j, c in enumerate(model.design.columns) if c.feature == feature)
    return np.linspace(*model.ranges[j], count), []


def _line(model: MARSModel, features: tuple[int, ...], axes, response: int) -> None:
    points, levels = _points(model, features[0], _LINE)
    values = effect(model, features, [points], response)
    if levels:
        axes.bar(points, values)
        axes.set_xticks(points, levels)
    else:
        axes.plot(points, values)
        for _, _, cut in _knots(model, features[0]):
            axes.axvline(cut, linewidth=0.5, linestyle=":")
    axes.set_xlabel(model.schema[features[0]].name)
    axes.set_ylabel("effect")


def _knots(model: MARSModel, feature: int):
    kept = model.kept
    for m in range(len(kept)):
        factors = kept.factors(m)
        if len(factors) == 1 and model.design.columns[factors[0][0]].feature == feature and factors[0][1] != 2:
            yield factors[0]


def _surface(model: MARSModel, features: tuple[int, ...], axes, response: int) -> None:
    across, across_levels = _points(model, features[0], _SIDE)
    up, up_levels = _points(model, features[1], _SIDE)
    grid = [g.ravel() for g in np.meshgrid(across, up)]
    shown = axes.pcolormesh(across, up, effect(model, features, grid, response).reshape(len(up), len(across)))
    axes.figure.colorbar(shown, ax=axes)
    if across_levels:
        axes.set_xticks(across, across_levels)
    if up_levels:
        axes.set_yticks(up, up_levels)
    axes.set_xlabel(model.schema[features[0]].name)
    axes.set_ylabel(model.schema[features[1]].name)
