"""How many folds to evaluate: until the rows held out are enough for how much their losses differ."""

from __future__ import annotations

from dataclasses import dataclass

#: Rows held out that place the minimum of the losses well enough: with more, it moves by no more than their noise.
ENOUGH_ROWS = 20_000
#: Losses that differ much need more rows: the standard error of their mean is to be at most this share of it.
CERTAIN = 0.025


@dataclass(frozen=True)
class EnoughRows:
    """The rule by which evaluation stops before the last fold; it depends on nothing but the data.

    Attributes
    ----------
    least : int
        At least about so many held-out rows are evaluated.
    rows : int
        In all folds.

    Examples
    --------
    >>> rule = EnoughRows(20_000, rows=100_000)
    >>> rule.first_folds(10), rule.folds(10, spread=5.7), rule.folds(10, spread=49.0)
    (2, 2, 8)
    """

    least: int
    rows: int

    def first_folds(self, drawn: int) -> int:
        """How many of the folds drawn to begin with."""
        return self._that_hold(self.least, drawn)

    def folds(self, drawn: int, spread: float) -> int:
        """How many of the folds drawn to evaluate, by the spread of the losses so far.

        Parameters
        ----------
        drawn : int
        spread : float
            Variance of the losses over the square of their mean, in the tree that is best so far.
        """
        return self._that_hold(max(self.least, spread / CERTAIN**2), drawn)

    def _that_hold(self, rows: float, drawn: int) -> int:
        share = rows / self.rows
        return drawn if share >= 1.0 else max(1, int(drawn * share + 0.5))
