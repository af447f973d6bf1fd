"""Predictions of rows, for whatever holds a tree: trees themselves and estimators."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._typing import TableLike
from ..tree.descend import Routing
from .scoring_mixin import ScoringMixin

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class PredictingMixin(ScoringMixin):
    """The methods that send rows down a tree."""

    def _answer(self, X: TableLike, question: str, unseen: str | None = None) -> np.ndarray:
        """Predictions for the rows of X; see :func:`boxwood.tree.descend.answer`."""
        used, columns = self._read(X, unseen)
        found = used.answer(columns, question)
        if columns.has_unseen:  # read afterwards: the walk has seen every level
            self._notice(columns, used)
        return found

    def predict(self, X: TableLike, *, unseen: str | None = None) -> np.ndarray:
        """Predict each row.

        Parameters
        ----------
        X : table of shape (n, p)
            Any container, with the columns of fit; an estimator expects their order, a tree finds them by name. For an
            estimator, a Dask data frame stays lazy.
        unseen : {"missing", "majority", "stay", "error"}, optional
            How a row is routed that has a level that did not occur in training: as if the value were missing, by the
            branch with the largest weight, or it stays at the node; "error" raises UnseenLevelError. Default: the
            setting of the model; for a tree on its own, "missing".

        Returns
        -------
        ndarray of shape (n,)
            Class labels, means, or rates (events per unit of exposure); for y of q columns, of shape (n, q). For a Dask
            data frame, a Dask series.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError
            There is no such treatment of levels.
        DataError, DataTypeError
            The data do not match the model; the message names the column, row and value.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X = {"age": [20, 30, 40, 50], "city": ["京都", "Ulm", "Ulm", "京都"]}
        >>> model = CARTClassifier(pruning=None).fit(X, ["no", "no", "yes", "yes"])
        >>> model.predict({"age": [25, None, 60], "city": ["Ulm", "京都", None]}).tolist()
        ['no', 'no', 'yes']
        """
        return self._answer(X, "label", unseen)

    def predict_fields(self, X: TableLike, *, unseen: str | None = None) -> dict[str, np.ndarray]:
        """Everything that is predicted for each row, by name.

        Parameters
        ----------
        X : table of shape (n, p)
        unseen : {"missing", "majority", "stay", "error"}, optional
            As for ``predict``.

        Returns
        -------
        dict of str to float64, shape (n,)
            Of numbers ``value``, which ``predict`` returns, and what else the kind of y has; of classes the probability
            of each, ``p_<label>``. A row that was divided among branches has the mean of its leaves by its shares.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.
        ParameterError
            Leaves are models of their own, which predict one number.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit([[1], [2], [3]], [0, 1, 5])
        >>> model.predict_fields([[0], [9]])["value"].tolist()
        [0.0, 5.0]
        """
        used, columns = self._read(X, unseen)
        used.need_constant_leaves("predict_fields")
        found = used.route(columns).columns(used.tree)
        self._notice(columns, used)
        return dict(zip(used.tree.response.fields, found.T, strict=True))

    def apply(self, X: TableLike, *, unseen: str | None = None) -> np.ndarray:
        """Number of the last node on the path of each row.

        Parameters
        ----------
        X : table of shape (n, p)
        unseen : {"missing", "majority", "stay", "error"}, optional
            As for ``predict``.

        Returns
        -------
        int64, shape (n,)
            A leaf, or an internal node if the row stops there. If a row is divided among branches, the
            node with the largest fraction; on ties, the lowest number. The prediction of such a row averages over all
            its leaves, and may differ from that of this node.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit([[1], [2], [3]], [0, 1, 5])
        >>> model.apply([[0], [2], [9]]).tolist()
        [3, 4, 2]
        """
        return self._answer(X, "node", unseen)

    def decision_path(self, X: TableLike, *, unseen: str | None = None) -> csr_matrix:
        """The nodes on the path of each row.

        Parameters
        ----------
        X : table of shape (n, p)
        unseen : {"missing", "majority", "stay", "error"}, optional
            As for ``predict``.

        Returns
        -------
        scipy.sparse.csr_matrix of shape (n, nodes)
            1 if the node is on the path of the row or of a fraction of it, including the root and the last node. The
            sums of the columns are the numbers of rows that text, rules and pictures show.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit([[1], [2], [3]], [0, 1, 5])
        >>> model.decision_path([[0], [9]]).toarray().tolist()
        [[1, 1, 0, 1, 0], [1, 0, 1, 0, 0]]
        """
        from scipy.sparse import csr_matrix

        used, columns = self._read(X, unseen)
        indptr, indices = used.nodes_passed(columns)
        self._notice(columns, used)
        ones = np.ones(len(indices), dtype=np.int64)
        return csr_matrix((ones, indices, indptr), shape=(len(indptr) - 1, used.tree.n_nodes))

    def routing(self, X: TableLike, *, unseen: str | None = None) -> Routing:
        """The last node of each row, and how missing and unseen values were routed. Faster than ``explain``.

        Parameters
        ----------
        X : table of shape (n, p)
        unseen : {"missing", "majority", "stay", "error"}, optional
            As for ``predict``.

        Returns
        -------
        Routing
            ``count()`` returns the number of rows with a missing value or an unseen level on their path, and the
            numbers of rows that were routed by a surrogate, stopped at an internal node, or were divided among
            branches.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit({"age": [20, 30, 50]}, ["no", "no", "yes"])
        >>> model.routing({"age": [None, 60, None]}).count()
        {'missing': 2, 'unseen': 0, 'surrogate': 0, 'stayed': 0, 'shared': 0}
        """
        used, columns = self._read(X, unseen)
        return used.route(columns)


class ProbabilityMixin(PredictingMixin):
    """The probabilities of whatever holds a tree of classes."""

    def predict_proba(self, X: TableLike, *, unseen: str | None = None) -> np.ndarray:
        """Probability of each class.

        Parameters
        ----------
        X : table of shape (n, p)
        unseen : {"missing", "majority", "stay", "error"}, optional
            As for ``predict``.

        Returns
        -------
        float64, shape (n, K)
            Class proportions in the leaf, adjusted by ``priors``. Columns are in the order of the classes, and each
            row sums to 1. For a Dask data frame, a lazy frame with a column for each class. For y of several columns, a
            list of such arrays.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> model = CARTClassifier(max_depth=1, pruning=None).fit([[1], [2], [3], [3]], ["a", "a", "a", "b"])
        >>> model.predict_proba([[0], [9]]).tolist()
        [[1.0, 0.0], [0.5, 0.5]]
        """
        found: np.ndarray = self._used().tree.response.by_response(self._answer(X, "probability", unseen))
        return found
