"""A pruning sequence as a picture: error on the training set and on held-out rows against the leaves."""

from __future__ import annotations

import numpy as np

from .axes import given_axes, new_axes
from .colours import OKABE_ITO


def plot_over_leaves(n_leaves: np.ndarray, lines: dict[str, np.ndarray], errors: np.ndarray | None, row: int, ax=None):
    """Draw one line over the number of leaves for each kind of rows, and mark the selected tree.

    Where standard errors are known, a dotted line marks the least held-out loss plus one of them: the rule of one
    standard error takes the smallest tree below it (Breiman, Friedman, Olshen and Stone 1984, 3.4.3).

    Parameters
    ----------
    n_leaves : int64, shape (S,)
    lines : dict of str to float64 array of shape (S,)
        Name -> mean loss, to be drawn in this order.
    errors : float64, shape (S,), or None
        Standard errors of the last line.
    row : int
        The selected tree; -1 marks none.
    ax : matplotlib Axes, optional
        Default: a new figure.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    NotAvailableError
        matplotlib is not installed.
    """
    ax = given_axes(ax) or new_axes("plot")
    *others, (name, last) = lines.items()
    for colour, (other, values) in zip(OKABE_ITO, others, strict=False):
        ax.plot(n_leaves, values, "s--", color=colour, markersize=2.5, linewidth=0.9, label=other)
    colour = OKABE_ITO[len(others)]
    ax.errorbar(
        n_leaves, last, errors, fmt="o-", color=colour, markersize=3, linewidth=0.9, elinewidth=0.6, label=name
    )  # fmt: skip
    if errors is not None and np.isfinite(last).any():
        best = int(np.nanargmin(last))
        ax.axhline(
            last[best] + errors[best], color="#5a636e", linewidth=0.8, linestyle=":",
            label="minimum + 1 SE",
        )  # fmt: skip
    if row >= 0:
        ax.plot(
            n_leaves[row], last[row], "D", color="black", markersize=5, label=f"selected: {n_leaves[row]} leaves",
            linestyle="none",
        )  # fmt: skip
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter("{x:.0f}")
    ax.set_xlabel("leaves")
    ax.set_ylabel("error")
    ax.legend(frameon=False, fontsize="small")
    return ax
