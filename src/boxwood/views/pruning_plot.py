"""Trees of a pruning sequence as a picture: error on the rows of training and on held-out rows over the leaves."""

from __future__ import annotations

import numpy as np

from ..errors import NotAvailableError


def plot_over_leaves(n_leaves: np.ndarray, lines: dict[str, np.ndarray], errors: np.ndarray | None, row: int, ax=None):
    """Draw one line over the number of leaves for each kind of rows, and mark the tree in force.

    Parameters
    ----------
    n_leaves : int64, shape (S,)
    lines : dict of str to float64 array of shape (S,)
        Name -> loss per unit of weight, to be drawn in this order.
    errors : float64, shape (S,), or None
        Standard errors of the last line.
    row : int
        The tree in force; -1 marks none.
    ax : matplotlib Axes, optional
        A new figure by default.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    NotAvailableError
        matplotlib is not installed.
    """
    if ax is None:
        try:
            from matplotlib.figure import Figure
        except ImportError as error:
            raise NotAvailableError("plot needs matplotlib; install it with: pip install 'boxwood[plot]'.") from error
        ax = Figure(layout="constrained").subplots()
    *others, (name, last) = lines.items()
    for other, values in others:
        ax.plot(n_leaves, values, ".-", markersize=3, linewidth=0.8, label=other)
    ax.errorbar(n_leaves, last, errors, fmt=".-", markersize=3, linewidth=0.8, elinewidth=0.5, label=name)
    if row >= 0:
        ax.plot(n_leaves[row], last[row], "o", color="black", label=f"in force: {n_leaves[row]} leaves")
    ax.set_xscale("log")
    ax.set_xlabel("leaves")
    ax.set_ylabel("loss per unit of weight")
    ax.legend()
    return ax
