"""What a fitted estimator tells beyond its predictions: rules, what would change an answer, what pulled it down."""

from __future__ import annotations

from ..views.rules import Rules


class Telling:
    """The part of a tree estimator that tells people what to make of its answers."""

    def rules(self, level: float = 0.95) -> Rules:
        """One rule for each end of a way down the tree: conditions merged, what it says, rows, interval, lift.

        Parameters
        ----------
        level : float
            Level of confidence of the intervals, between 0 and 1.

        Returns
        -------
        Rules
            Print it, index it, use ``to_frame()``, or ``gains(target)`` for the gain table.

        Raises
        ------
        NotFittedError
            There is no model yet.
        ParameterError
            The level is out of range.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X = {"age": [20, 30, 40, 50, 60, 70], "city": ["京都", "Ulm", "Ulm", "Ulm", "京都", "京都"]}
        >>> model = CARTClassifier(pruning=None).fit(X, ["no", "no", "no", "yes", "yes", "yes"])
        >>> print(model.rules())
        If age is at most 45, then y is no.
          probability 1 (95 % interval 0.439 to 1), 3 rows, 50.0 % of all, lift 2
          Missing values of age lead here only if a surrogate says so.
        If age is above 45, then y is yes.
          probability 1 (95 % interval 0.439 to 1), 3 rows, 50.0 % of all, lift 2
          Missing values of age lead here only if a surrogate says so.
        >>> model.rules().gains("yes").to_frame("dict", cumulative=False)["index"]
        [200.0, 0.0]
        """
        return self._fitted().tree.rules(level)
