"""A picture of regions on axes of matplotlib, in the numbers of the features."""

from __future__ import annotations

import numpy as np

from ..data.columns.distinct import distinct
from .axes import HATCHES, given_axes
from .colours import paint, shade
from .fonts import families
from .region_axis import RegionAxis
from .regions import Points, Regions
from .regions_scene import cut_width, thinned

_MARKS = ("o", "s", "D", "^")


def regions_axes(regions: Regions, ax):
    """Draw regions; the coordinates of the axes are the features' own, and level k is the band from k to k + 1.

    Parameters
    ----------
    regions : Regions
    ax : matplotlib Axes

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ParameterTypeError
        ``ax`` is something else.
    """
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Rectangle

    ax = given_axes(ax)
    for tile in regions.tiles:
        (x, right), (y, top) = tile.x, tile.y
        look = {"hatch": HATCHES[tile.hatch], "edgecolor": "#ffffff", "linewidth": 0.0, "zorder": 0.5}
        ax.add_patch(Rectangle((x, y), right - x, top - y, facecolor=paint(tile.ink), **look))
    lines = [list(zip(cut.x, cut.y, strict=True)) for cut in regions.cuts]
    widths = [0.6 if regions.steps else 0.75 * cut_width(cut.depth) for cut in regions.cuts]
    look = {"colors": paint("line" if regions.steps else "text"), "linestyles": "--" if regions.steps else "-"}
    ax.add_collection(LineCollection(lines, linewidths=widths, zorder=1.5, **look), autolim=False)
    ax.add_collection(LineCollection(regions.lines, linewidths=2.0, colors=shade(1.0), zorder=2.0), autolim=False)
    _points(ax, regions.points)
    _words(ax, regions.x, regions.y)
    _meaning(ax, regions)
    return ax


def _points(ax, points: Points) -> None:
    marks = np.array(points.marks, dtype=np.int64)
    inks = np.array([paint(ink) for ink in points.inks], dtype=object)
    for mark in distinct(marks).tolist():
        rows = marks == mark
        ax.scatter(
            points.x[rows], points.y[rows], s=16, c=inks[rows].tolist(), marker=_MARKS[mark],
            edgecolors=points.outline, linewidths=0.6, zorder=3.0,
        )  # fmt: skip


def _words(ax, x: RegionAxis, y: RegionAxis) -> None:
    """Limits, names and words of both axes."""
    texts = [x.name, y.name, *(word for _, word in (*x.words, *y.words))]
    look = {"fontfamily": families(texts), "parse_math": False}
    ax.set_xlim(x.low, x.high)
    ax.set_ylim(y.low, y.high)
    ax.set_xlabel(x.name, **look)
    ax.set_ylabel(y.name, **look)
    box, unit = ax.get_window_extent(), 72.0 / ax.figure.dpi
    for axis, setter, length in ((x, ax.set_xticks, box.width * unit), (y, ax.set_yticks, 4 * box.height * unit)):
        words = thinned(axis, length)
        setter([at for at, _ in words], [word for _, word in words], **look)


def _meaning(ax, regions: Regions) -> None:
    """A legend of the classes, or a bar of the numbers."""
    colouring = regions.colouring
    if regions.steps:
        return
    if colouring.scale is not None:
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import ListedColormap, Normalize

        colours = ListedColormap([shade(k / 63) for k in range(64)])
        bar = ax.figure.colorbar(ScalarMappable(Normalize(*colouring.scale), colours), ax=ax)
        bar.set_label(colouring.meaning, fontfamily=families([colouring.meaning]), parse_math=False)
        return
    from matplotlib.lines import Line2D

    labels = [label for label, _, _ in colouring.entries]
    marks = [
        Line2D([], [], linestyle="none", marker=_MARKS[mark], color=paint(ink)) for _, ink, mark in colouring.entries
    ]
    legend = ax.legend(marks, labels, prop={"family": families(labels), "size": "small"}, framealpha=0.9)
    for text in legend.get_texts():
        text.set_parse_math(False)
