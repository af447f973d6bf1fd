"""Pictures of a model: main effects as lines or bars, pairs as surfaces or lines; needs matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from .._messages import Setting, Value, must_be, remedy
from ..data.columns.distinct import distinct
from ..data.columns.kinds.kind import ByKind
from ..data.columns.schema import Feature
from ..errors import NotAvailableError, ParameterError, ParameterTypeError
from ..exports.kinds import EXPORTED
from ..pictures.fonts import families
from .anova import effect, groups
from .design import ENCODINGS, VALUE
from .exports import plan_of
from .model import MARSModel
from .terms import LINEAR

#: Points along a line, and along each side of a surface.
_LINE, _SIDE = 200, 60
#: Levels up to which a pair is shown as one line per level.
_MOST_LINES = 8


def plot_effects(model: MARSModel, features: Sequence[Sequence[str]] | None = None, response: int = 0):
    """Main effects and pairs of features, as small pictures in one figure.

    Parameters
    ----------
    model : MARSModel
    features : list of groups of names, optional
        Which: ``[["age"], ["age", "size"]]``; by default every part of the model with one or two features.
    response : int
        Which response, or class.

    Returns
    -------
    matplotlib.figure.Figure
        A main effect is the sum of the terms with only this feature, a dotted line marks each knot. A pair is the sum
        of the terms with both and of their main effects (Friedman 1991, section 3.5). In units of y, or of log odds.

    Raises
    ------
    NotAvailableError
        matplotlib is not installed.
    ParameterError
        The model has no such response, feature or part.
    """
    names = plan_of(model).sum_names
    if not isinstance(response, (int, np.integer)) or not 0 <= response < len(names):
        raise ParameterError(must_be("response", f"a whole number from 0 to {len(names) - 1}", response))
    parts = _parts(model, features)
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise NotAvailableError("plot_effects needs matplotlib; install it with: pip install matplotlib.") from error
    wide = 2 if len(parts) == 4 else max(1, min(3, len(parts)))
    high = max(1, -(-len(parts) // wide))
    with rc_context({"font.family": families(_texts(model, names))}):
        figure = Figure(figsize=(3.8 * wide, 3.0 * high), layout="constrained")
        for place, part in enumerate(parts, 1):
            draw = _main if len(part) == 1 else _pair
            draw(model, part, figure.add_subplot(high, wide, place), response)
        figure.suptitle(names[response] if parts else f"{names[response]}: a constant")
    return figure


def _parts(model: MARSModel, chosen: Sequence[Sequence[str]] | None) -> list[tuple[int, ...]]:
    """The parts to show, as positions of features."""
    known = [part for part in groups(model.design, model.kept) if len(part) <= 2]
    if chosen is None:
        return known
    parts = []
    if not isinstance(chosen, Iterable):
        given = Value(chosen, type(chosen).__name__)
        raise ParameterTypeError(must_be("features", "a list of names or of pairs of names", given))
    for names in chosen:
        if not isinstance(names, Iterable):
            raise ParameterTypeError(Setting("features"), " must name features; got ", Value(names), ".")
        names = [names] if isinstance(names, str) else list(names)
        unknown = [name for name in names if name not in model.schema.names]
        if unknown:
            raise ParameterError(
                Setting("features"), " names ", Value(unknown[0]), ", which is not a column of the model."
            )
        part = tuple(sorted(model.schema.names.index(name) for name in names))
        if part not in known:
            raise ParameterError(
                "no term holds exactly the features ", Value(names, str(names)), ", one or two; ",
                remedy("see anova() for those there are"), ".",
            )  # fmt: skip
        parts.append(part)
    return parts


def _texts(model: MARSModel, names: list[str]) -> list[str]:
    """What the pictures may write."""
    return [*names, *(text for feature in model.schema for text in (feature.name, *map(str, feature.levels)))]


def _points(model: MARSModel, feature: int, count: int) -> tuple[np.ndarray, list[str]]:
    """Values to show, and the names of levels if it has them."""
    return _POINTS.of(model.schema[feature])(model, feature, count)


def _levels(model: MARSModel, feature: int, count: int) -> tuple[np.ndarray, list[str]]:
    levels = model.schema[feature].levels
    return np.arange(float(len(levels))), [str(level) for level in levels]


def _numbers(model: MARSModel, feature: int, count: int) -> tuple[np.ndarray, list[str]]:
    low, high = model.ranges[_value_column(model, feature)]
    return distinct(np.concatenate((np.linspace(low, high, count), _knots(model, feature)))), []


_POINTS: ByKind[Callable] = ByKind(numeric=_numbers, ordinal=_levels, nominal=_levels, temporal=_numbers)


def _value_column(model: MARSModel, feature: int) -> int:
    return next(j for j, c in enumerate(model.design.columns) if c.feature == feature and c.what == VALUE)


def _knots(model: MARSModel, feature: int, terms: Iterable[int] | None = None) -> list[float]:
    """Knots of a numeric feature in some terms, or in all."""
    terms = range(len(model.kept)) if terms is None else terms
    j = _value_column(model, feature)
    return sorted({cut for m in terms for c, d, cut in model.kept.factors(m) if c == j and d != LINEAR})


def _main(model: MARSModel, part: tuple[int, ...], axes, response: int) -> None:
    points, levels = _points(model, part[0], _LINE)
    values = effect(model, part, [points], response)
    if levels:
        axes.bar(points, values)
        _name_levels(axes.xaxis, levels)
    else:
        axes.plot(points, values)
        for cut in _knots(model, part[0], groups(model.design, model.kept)[part]):
            axes.axvline(cut, linewidth=0.6, linestyle=":", color="grey")
    _name_axis(axes.xaxis, model.schema[part[0]])
    axes.set_ylabel("effect")


def _name_axis(axis, feature: Feature) -> None:
    """The name of a feature, and dates where its design column counts them."""
    axis.set_label_text(feature.name)
    if EXPORTED.of(feature).counts(feature):
        axis.set_major_formatter(lambda at, _: ENCODINGS.of(feature).knot(feature, at, f"{at:g}"))


def _name_levels(axis, levels: list[str]) -> None:
    axis.set_ticks(range(len(levels)), levels)


def _both(model: MARSModel, part: tuple[int, ...], points: list[np.ndarray], response: int) -> np.ndarray:
    """A pair with its main effects."""
    found = groups(model.design, model.kept)
    total = effect(model, part, points, response)
    for feature, at in zip(part, points, strict=True):
        if (feature,) in found:
            total = total + effect(model, (feature,), [at], response)
    return total


def _pair(model: MARSModel, part: tuple[int, ...], axes, response: int) -> None:
    shown = [_points(model, feature, _SIDE) for feature in part]
    few = [i for i, (_, levels) in enumerate(shown) if levels and len(levels) <= _MOST_LINES]
    if few:
        _lines(model, part, axes, response, shown, few[-1])
        return
    (across, across_levels), (up, up_levels) = shown
    grid = [g.ravel() for g in np.meshgrid(across, up)]
    values = _both(model, part, grid, response).reshape(len(up), len(across))
    axes.figure.colorbar(axes.contourf(across, up, values, levels=15), ax=axes)
    if across_levels:
        _name_levels(axes.xaxis, across_levels)
    if up_levels:
        _name_levels(axes.yaxis, up_levels)
    _name_axis(axes.xaxis, model.schema[part[0]])
    _name_axis(axes.yaxis, model.schema[part[1]])


def _lines(model: MARSModel, part: tuple[int, ...], axes, response: int, shown: list, of: int) -> None:
    """One line for each level of feature ``of`` of the pair, over the values of the other."""
    (points, levels), (_, names) = shown[1 - of], shown[of]
    for code, name in enumerate(names):
        at = [points, points]
        at[of] = np.full(len(points), float(code))
        axes.plot(points, _both(model, part, at, response), label=name, marker="o" if levels else None)
    if levels:
        _name_levels(axes.xaxis, levels)
    _name_axis(axes.xaxis, model.schema[part[1 - of]])
    axes.set_ylabel("effect")
    axes.legend(title=model.schema[part[of]].name, fontsize="small")
