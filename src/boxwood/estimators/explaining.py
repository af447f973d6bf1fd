"""Why: what happened to each row, and the arithmetic behind each split of a fitted estimator."""

from __future__ import annotations

from ..tree.descend import Landing
from ..views.explanation import Explanation


class Explaining:
    """The part of a tree estimator that tells why."""

    def explain(self, X) -> Explanation:
        """What happens to each row on its way down, step by step.

        Each step tells the node and what it says, the value tested there, whether it was missing or a level not seen,
        what decided then (a surrogate, the branch of missing values, shares, or the row stays), and what the step did
        to the prediction. The contributions of a row add up to its prediction less that of the root.

        Parameters
        ----------
        X : table of shape (n, p)

        Returns
        -------
        Explanation
            One entry a row; print it, or use ``to_frame()``, ``count()``, ``[row].steps`` and ``[row].contributions``.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X = {"age": [20, 30, 50, 60], "city": ["Ulm", "Ulm", "京都", "京都"]}
        >>> model = CARTClassifier(pruning=None).fit(X, ["no", "no", "yes", "yes"])
        >>> why = model.explain({"age": [25, None], "city": ["Ulm", "京都"]})
        >>> print(why[1])
        row 1: y = yes (probability 1)
        node 0 (4 rows): yes 0.500; age is missing; surrogate 1 (agrees in 1): city = 京都 → age > 40 (+0.5)
          node 2 (2 rows): yes 1
        >>> why[1].contributions
        {'age': array([-0.5,  0.5])}
        """
        model, columns = self._read(X)
        return model.explain(columns)

    def landing(self, X) -> Landing:
        """Where rows end and what they met, without the steps: quick for many rows.

        Parameters
        ----------
        X : table of shape (n, p)

        Returns
        -------
        Landing
            ``count()`` gives the number of rows that met a missing value or a level not seen in training, for which a
            surrogate decided, or that had to stay at an inner node.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit({"age": [20, 30, 50]}, ["no", "no", "yes"])
        >>> model.landing({"age": [None, 60, None]}).count()
        {'missing': 2, 'unseen': 0, 'surrogate': 0, 'stayed': 0}
        """
        model, columns = self._read(X)
        return model.land(columns)
