"""Neighbouring bins merged until the event rate rises or falls throughout, with the greatest information value."""

from __future__ import annotations

import numpy as np

from .evidence import Totals

DIRECTIONS = ("auto", "increasing", "decreasing")
#: A merge is preferred only if it is better by more.
_TIE = 1e-12


def monotone_groups(
    events: np.ndarray, others: np.ndarray, totals: Totals, most: int, direction: str = "auto"
) -> list[int]:
    """The group of each bin: neighbours merged to at most ``most`` groups of monotone event rates.

    Dynamic programming over all such groupings finds the one of greatest information value; "auto" takes the better of
    both directions.

    Parameters
    ----------
    events, others : float64, shape (m,)
        Weight of events and non-events of bins in the order of the values.
    totals : Totals
    most : int
    direction : {"auto", "increasing", "decreasing"}
        Of the event rate.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.algorithms.binning.evidence import Totals
    >>> from boxwood.algorithms.binning.monotone import monotone_groups
    >>> monotone_groups(np.array([8.0, 4, 5, 1]), np.array([2.0, 6, 5, 9]), Totals(18.0, 22.0), 4)
    [0, 1, 1, 2]
    """
    signs = {"auto": (1, -1), "increasing": (1,), "decreasing": (-1,)}[direction]
    found = [_best(events, others, totals, most, sign) for sign in signs]
    value, groups = found[0]
    for other_value, other in found[1:]:
        if other_value > value + _TIE:
            value, groups = other_value, other
    return groups


def _best(events: np.ndarray, others: np.ndarray, totals: Totals, most: int, sign: int) -> tuple[float, list[int]]:
    """Greatest information value of a grouping whose rates rise (sign 1) or fall (-1), and the grouping."""
    m = len(events)
    below = np.concatenate([[0.0], np.cumsum(events)]), np.concatenate([[0.0], np.cumsum(others)])
    # A group of bins first ... last; axes are [first, last].
    of_events, of_others = (total[None, 1:] - total[:-1, None] for total in below)
    first, last = np.indices((m, m))
    valid = first <= last
    _, iv = totals.woe_and_iv(np.where(valid, of_events, 0.0), np.where(valid, of_others, 0.0))
    rate = sign * of_events / np.where(valid, of_events + of_others, 1.0)
    value = np.where((first == 0) & valid, iv, -np.inf)  # of the best grouping of 0 ... last that ends in the group
    before = []  # for each number of groups: where the group before the last one starts
    best, end = float(value[0, m - 1]), (0, 0)
    for step in range(1, most):
        longer, starts = np.full((m, m), -np.inf), np.zeros((m, m), dtype=np.int64)
        for at in range(1, m):
            earlier = value[:at, at - 1]
            allowed = np.where(rate[:at, at - 1][:, None] < rate[at, at:][None, :], earlier[:, None], -np.inf)
            starts[at, at:] = np.argmax(allowed, axis=0)
            longer[at, at:] = np.max(allowed, axis=0) + iv[at, at:]
        before.append(starts)
        value = longer
        top = int(np.argmax(value[:, m - 1]))
        if value[top, m - 1] > best + _TIE:
            best, end = float(value[top, m - 1]), (step, top)
    return best, _groups(before, end, m)


def _groups(before: list[np.ndarray], end: tuple[int, int], m: int) -> list[int]:
    """The group of each of m bins, from the number of groups before the last one and the start of the last one."""
    step, start = end
    starts, last = [start], m - 1
    while step:
        start, last = int(before[step - 1][start, last]), start - 1
        starts.append(start)
        step -= 1
    return (np.searchsorted(np.array(starts[::-1]), np.arange(m), side="right") - 1).tolist()
