"""Cumulative gains and lift: how early the target rows come when rows are ranked by the tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._messages import remedy
from ..data.frames.weights import check_lengths
from ..errors import DataError, check_one_of
from ..tree.descend import Routing
from ..tree.tree import Tree
from ..views.words import level, plain
from .axes import given_axes, new_axes
from .colours import OKABE_ITO
from .fonts import families
from .rows import read_truth

KINDS = ("gains", "lift")


@dataclass(frozen=True, eq=False)
class Gains:
    """The corners of the curve; rows of equal score come together, so that the order of rows does not matter.

    Attributes
    ----------
    tested : float64, shape (S + 1,)
        Share of the weight of the rows tested so far, from 0 to 1.
    found : float64, shape (S + 1,)
        Share of the target found in them: of the rows of the target class, or of the sum of y.
    best : tuple of ndarray
        The same two for the order by y.
    """

    tested: np.ndarray
    found: np.ndarray
    best: tuple[np.ndarray, np.ndarray]

    @property
    def lift(self) -> np.ndarray:
        """found / tested: how many times as many as at random, shape (S,), from the first corner on."""
        return self.found[1:] / self.tested[1:]


def gains(score: np.ndarray, target: np.ndarray, weight: np.ndarray | None = None) -> Gains:
    """The curve of a score.

    Parameters
    ----------
    score : float64, shape (n,)
        Rows with a large score are tested first.
    target : float64, shape (n,)
        What is looked for in each row: 1 or 0, or an amount of at least 0.
    weight : float64, shape (n,), optional

    Raises
    ------
    DataError
        There is nothing to be found, an amount is negative, or all weights are 0.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.pictures.gains_chart import gains
    >>> curve = gains(np.array([0.9, 0.1, 0.9, 0.1]), np.array([1.0, 0.0, 0.0, 0.0]))
    >>> curve.tested.tolist(), curve.found.tolist(), curve.lift.tolist()
    ([0.0, 0.5, 1.0], [0.0, 1.0, 1.0], [2.0, 1.0])
    """
    weight = np.ones(len(score)) if weight is None else weight
    if (target < 0).any():
        raise DataError(
            "a gains chart adds up y, which must not be negative; ", remedy("shift it, or draw another chart"), "."
        )  # fmt: skip
    mass = weight * target
    if not mass.sum() > 0:
        raise DataError("y holds nothing to be found: no row of weight is of the target class, or all of y is 0.")
    return Gains(*_curve(score, weight, mass), _curve(target, weight, mass))


def _curve(score: np.ndarray, weight: np.ndarray, mass: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shares of weight and mass after each distinct score, the largest first."""
    _, group = np.unique(-score, return_inverse=True)
    tested, found = np.bincount(group, weight), np.bincount(group, mass)
    kept = tested > 0
    tested, found = np.cumsum(tested[kept]), np.cumsum(found[kept])
    start = np.zeros(1)
    return np.concatenate([start, tested / tested[-1]]), np.concatenate([start, found / found[-1]])


def gains_of(tree: Tree, routing: Routing, y, target: int | None, weight: np.ndarray | None = None) -> Gains:
    """The curve of a tree.

    Parameters
    ----------
    tree : Tree
    routing : Routing
        Where the rows end.
    y : column of n values
        Their response.
    target : int or None
        Number of the target class; None where the tree predicts a number.
    weight : float64, shape (n,), optional

    Raises
    ------
    DataError
        y does not fit the tree or the rows, or holds nothing to be found.
    """
    truth = read_truth(tree, y)
    check_lengths(len(routing.node), len(truth))
    if target is None:
        return gains(routing.value(tree), truth, weight)
    return gains(routing.probability(tree)[:, target], (truth == target).astype(np.float64), weight)


def plot_gains(tree: Tree, curve: Gains, target: int | None, kind: str = "gains", ax=None):
    """Draw the curve of a tree.

    Parameters
    ----------
    tree : Tree
    curve : Gains
    target : int or None
        Number of the target class.
    kind : {"gains", "lift"}
        Share of the target found, or found / tested.
    ax : matplotlib Axes, optional
        Default: a new figure.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ParameterError
        There is no such kind.
    NotAvailableError
        matplotlib is not installed.
    """
    check_one_of("kind", kind, KINDS)
    ax = given_axes(ax) or new_axes("plot_gains")
    name = plain(tree.response.name)
    what = f"{name} = {level(tree.response.labels[target])}" if target is not None else f"the sum of {name}"
    best_tested, best_found = curve.best
    if kind == "gains":
        ax.plot(100 * best_tested, 100 * best_found, "--", color=OKABE_ITO[2], linewidth=0.9, label="perfect model")
        ax.plot(100 * curve.tested, 100 * curve.found, "o-", color=OKABE_ITO[0], markersize=3, label="this tree")
        ax.plot([0, 100], [0, 100], ":", color="#5a636e", linewidth=0.9, label="random")
        ylabel = f"% of {what} found"
    else:
        ax.plot(100 * best_tested[1:], best_found[1:] / best_tested[1:], "--", color=OKABE_ITO[2], linewidth=0.9,
                label="perfect model")  # fmt: skip
        ax.plot(100 * curve.tested[1:], curve.lift, "o-", color=OKABE_ITO[0], markersize=3, label="this tree")
        ax.axhline(1.0, linestyle=":", color="#5a636e", linewidth=0.9, label="random")
        ylabel = f"lift of {what}"
    ax.set_xlabel("% of cases, ranked by score")
    ax.set_ylabel(ylabel, fontfamily=families([ylabel]), parse_math=False)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize="small")
    return ax
