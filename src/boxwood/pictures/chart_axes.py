"""A chart on the axes of matplotlib."""

from __future__ import annotations

import numpy as np

from .axes import given_axes, new_axes
from .chart import Chart, MatrixChart, Series
from .colours import paint
from .fonts import families


def chart_axes(chart: Chart | MatrixChart, ax=None):
    """Draw a chart.

    Parameters
    ----------
    chart : Chart or MatrixChart
    ax : matplotlib Axes, optional
        Default: a new figure.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ParameterTypeError, NotAvailableError
        ``ax`` is something else; matplotlib is not installed.
    """
    ax = given_axes(ax) or new_axes("plot")
    if isinstance(chart, MatrixChart):
        _matrix(ax, chart)
    else:
        for one in chart.series:
            _series(ax, one)
        if chart.square:
            ax.set_aspect("equal")
        if chart.names:
            ax.set_yticks(range(len(chart.names)), chart.names, fontfamily=families(chart.names), parse_math=False)
            ax.set_ylim(len(chart.names) - 0.5, -0.5)
        if chart.from_zero:
            ax.set_ylim(bottom=0.0)
    ax.set_xlabel(chart.xlabel, fontfamily=families([chart.xlabel]), parse_math=False)
    ax.set_ylabel(chart.ylabel, fontfamily=families([chart.ylabel]), parse_math=False)
    ax.spines[["top", "right"]].set_visible(False)
    names = ax.get_legend_handles_labels()[1]
    if names:
        ax.legend(frameon=False, prop={"family": families(names), "size": "small"})
    return ax


def _series(ax, one: Series) -> None:
    look = {"color": paint(one.ink), "linewidth": 1.5 if one.line == "-" else 0.9, "label": one.name or None}
    look |= {"linestyle": one.line or "none", "marker": "o" if one.marks else None, "markersize": 3}
    if one.errors is None:
        ax.plot(one.x, one.y, **look)
    else:
        ax.errorbar(one.x, one.y, **{"xerr" if one.across else "yerr": one.errors}, capsize=3, elinewidth=1.0, **look)
    for x, y, note in zip(one.x, one.y, one.notes, strict=False):
        ax.annotate(note, (x, y), xytext=(0, 6), textcoords="offset points", ha="center")


def _matrix(ax, matrix: MatrixChart) -> None:
    ax.imshow(matrix.share, cmap="Blues", vmin=0.0, vmax=1.0)
    for i, j in np.ndindex(matrix.share.shape):
        colour = "white" if matrix.share[i, j] > 0.5 else "black"
        ax.text(j, i, matrix.words[i][j], ha="center", va="center", color=colour)
    fonts = families(matrix.names)
    ax.set_xticks(range(len(matrix.names)), matrix.names, fontfamily=fonts, parse_math=False)
    ax.set_yticks(range(len(matrix.names)), matrix.names, fontfamily=fonts, parse_math=False)
