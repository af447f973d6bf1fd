"""What a fitted estimator tells beyond its predictions: rules, what would change an answer, what pulled it down."""

from __future__ import annotations

from ..errors import ParameterError
from ..views.rules import Rules
from ..views.shapley import METHODS, ShapValues


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

    def shap_values(self, X, method: str = "path", background=None) -> ShapValues:
        """Shapley values: how much each feature moved the answer away from what is said without knowing the row.

        The answer is every class probability, the mean or the rate. With ``base_values`` the values of a row add up
        to it. Where a value is missing, whatever decides instead (a surrogate, shares) is credited to the feature
        that the node tests.

        Parameters
        ----------
        X : table of shape (n, p)
        method : {"path", "interventional"}
            What stands for the features that are left out: every branch by its weight in training, or rows of
            ``background`` in turn.
        background : table of shape (b, p), optional
            Rows that say what is usual, for "interventional"; a hundred are plenty.

        Returns
        -------
        ShapValues
            ``values`` of shape (n, p, K) for classes, (n, p) else; ``base_values``; ``to_frame()``, ``to_text(row)``.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.
        ParameterError
            Unknown method, or one that does not go with the background.

        References
        ----------
        Lundberg, Erion, Lee: Consistent individualized feature attribution for tree ensembles, 2018.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X = {"age": [20, 30, 50, 60], "city": ["Ulm", "京都", "Ulm", "京都"]}
        >>> model = CARTClassifier(pruning=None).fit(X, ["no", "no", "no", "yes"])
        >>> model.shap_values({"age": [70], "city": ["京都"]}).values[0, :, 1].round(9).tolist()
        [0.75, 0.0]
        >>> model.shap_values({"age": [70], "city": ["Ulm"]}, "interventional", X).values[0, :, 1].round(9).tolist()
        [0.75, 0.0]
        """
        if method not in METHODS:
            raise ParameterError(f"method must be one of {', '.join(map(repr, METHODS))}; got {method!r}.")
        if (background is None) == (method == METHODS[1]):
            verb = "needs background rows" if background is None else "takes no background"
            raise ParameterError(f"method={method!r} {verb}; background goes with 'interventional'.")
        model, columns = self._read(X)
        return model.shap_values(columns, None if background is None else self._read(background)[1])
