"""The importance of each feature, as bars."""

from __future__ import annotations

import numpy as np

from .._messages import must_be
from ..errors import ParameterError, ParameterTypeError
from ..tree.tree import Tree
from ..views.importance import importance
from ..views.words import plain
from .axes import given_axes, new_axes
from .colours import OKABE_ITO
from .fonts import families
from .measure import fitted

#: Longest name beside a bar, in font sizes.
_LONGEST = 24.0


def plot_importance(tree: Tree, kind: str = "mdi", top: int | None = 20, ax=None):
    """Shares of the features in what the tree gains, the largest on top; features without any are left out.

    Parameters
    ----------
    tree : Tree
    kind : {"mdi", "mdi+surrogates"}
        See :func:`boxwood.views.importance.importance`.
    top : int or None
        Maximum number of bars; None for all.
    ax : matplotlib Axes, optional
        Default: a new figure.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ParameterError, ParameterTypeError
        There is no such kind, or ``top`` is not a whole number of at least 1.
    NotAvailableError
        matplotlib is not installed.
    """
    if top is not None and (isinstance(top, bool) or not isinstance(top, (int, np.integer))):
        raise ParameterTypeError(must_be("top", "a whole number or None", top))
    if top is not None and top < 1:
        raise ParameterError(must_be("top", "at least 1 or None", top))
    shares = importance(tree, kind)
    order = [j for j in np.argsort(-shares, kind="stable").tolist() if shares[j] > 0]
    shown = order[:top]
    names = [fitted(plain(tree.schema[j].name), 1.0, _LONGEST) for j in shown]
    if given_axes(ax) is None:
        ax = new_axes("plot_importance")
        ax.figure.set_size_inches(6.4, max(1.6, 0.9 + 0.28 * len(shown)))
    places = range(len(shown))
    bars = ax.barh(places, [100 * float(shares[j]) for j in shown], color=OKABE_ITO[0], height=0.7)
    ax.set_yticks(places, names, fontfamily=families(names), parse_math=False)
    ax.invert_yaxis()
    ax.bar_label(bars, fmt="%.1f %%", padding=3, fontsize="small")
    ax.margins(x=0.12)
    ax.set_xlabel("importance in percent" + (", surrogates counted" if kind == "mdi+surrogates" else ""))
    ax.spines[["top", "right"]].set_visible(False)
    more = len(order) - len(shown)
    if more:
        ax.set_title(f"{more} more feature{'s' * (more > 1)} with less", fontsize="small", loc="right")
    return ax
