"""What all tree estimators have in common: fit, predict, prune, save, pickle."""

from __future__ import annotations

import os
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from .._typing import ColumnLike, TableLike
from ..data.streams.distributed_frames import is_dask_frame
from ..learning.learning_set import usable_threads
from ..model.tree_model import TreeModel
from .callbacks import CallbackSupportMixin, fit_task, with_callbacks
from .evaluating import Evaluating
from .explaining import Explaining
from .exporting import Exporting
from .growing_below import GrowingBelow
from .insights import Insights
from .inspection import Inspection
from .lazy_frames import answered
from .notices import log_shown, warn_unseen
from .plotting import Plotting
from .pruning import Pruning
from .response import classifier_named, name_of, refuse_infinite
from .training_rows import training_rows

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_QUIET = nullcontext()


class TreeEstimator(
    CallbackSupportMixin,
    Inspection,
    Pruning,
    GrowingBelow,
    Explaining,
    Insights,
    Evaluating,
    Plotting,
    Exporting,
    BaseEstimator,
):
    """Base of the tree estimators; a subclass names its algorithm and declares its parameters.

    The result of the fit is in ``model_``; the other fitted attributes are derived from it.
    """

    @with_callbacks
    def _fit(
        self, X: TableLike, y: ColumnLike, sample_weight: ColumnLike | None = None, exposure: ColumnLike | None = None
    ) -> Self:
        """Fit aside and publish with one assignment: a fit that fails leaves the earlier model as it was."""
        if is_dask_frame(X):
            return self._fit_lazily(X, y, sample_weight=sample_weight, exposure=exposure)
        algorithm = self._declared
        settings = self._settings(algorithm)
        with fit_task(self, X, y, sample_weight), classifier_named(self):
            with log_shown(settings["verbose"]) if settings.get("verbose", 0) else _QUIET:
                rows = training_rows(X, y, settings, self._task, sample_weight, exposure)
                if settings.get("missing") == "error":
                    refuse_infinite(rows.columns)
                target = algorithm.target(
                    rows.y, settings, weight=rows.weight, exposure=rows.exposure, name=name_of(y), task=self._task
                )
                model = algorithm.fit_target(rows.columns, target, self._task, settings)
            self.model_ = model
        return self

    def _answer(self, X: TableLike, question: str) -> np.ndarray:
        """Predictions for the rows of X."""
        if is_dask_frame(X):
            self._fitted()
            return answered(self, X, question)
        model, columns = self._read(X)
        found = model.answer(columns, question)
        if columns.has_unseen:  # asked afterwards: the walk has seen every level
            warn_unseen(columns, model.settings.get("unseen", "missing"))
        return found

    def _no_labels(self) -> np.ndarray:
        """The predictions for no rows."""
        return getattr(self, "classes_", np.empty(0))[:0]

    def _passed(self, X: TableLike) -> tuple[np.ndarray, np.ndarray]:
        """The nodes that each row of X passes, as the index arrays of a sparse matrix."""
        model, columns = self._read(X)
        warn_unseen(columns, model.settings.get("unseen", "missing"))
        return model.nodes_passed(columns)

    def predict(self, X: TableLike) -> np.ndarray:
        """Predict each row.

        Parameters
        ----------
        X : table of shape (n, p)
            Any container, with the columns of fit in the same order. A Dask data frame stays lazy.

        Returns
        -------
        ndarray of shape (n,)
            Class labels, means, or rates (events per unit of exposure). For a Dask data frame, a Dask series.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
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
        return self._answer(X, "label")

    def apply(self, X: TableLike) -> np.ndarray:
        """Number of the last node on the path of each row.

        Parameters
        ----------
        X : table of shape (n, p)

        Returns
        -------
        int64, shape (n,)
            A leaf of ``tree_``, or an internal node if the row stops there. If a row is divided among branches, the
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
        return self._answer(X, "node")

    def decision_path(self, X: TableLike) -> csr_matrix:
        """The nodes on the path of each row.

        Parameters
        ----------
        X : table of shape (n, p)

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

        indptr, indices = self._passed(X)
        ones = np.ones(len(indices), dtype=np.int64)
        return csr_matrix((ones, indices, indptr), shape=(len(indptr) - 1, self.model_.tree.n_nodes))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file that :func:`boxwood.load` and the command line read; see docs/format.md.

        Parameters
        ----------
        path : str or path object
            Usually ends in ``.box``. An existing file is replaced only after the new one is complete.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        FileError
            The file cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> import boxwood
        >>> model = boxwood.CARTClassifier(pruning=None).fit([[1], [2]], ["甲", "乙"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(Path(folder) / "model.box")
        ...     boxwood.load(Path(folder) / "model.box").predict([[1]]).tolist()
        ['甲']
        """
        self._fitted().save(path)

    def __str__(self) -> str:
        """The tree as text once there is one; before, the parameters. ``repr`` always shows the parameters."""
        return str(self.model_.tree) if "model_" in vars(self) else repr(self)

    def __getstate__(self) -> dict[str, Any]:
        """Parameters, and the bytes of the model file for the model, where such a file can hold it."""
        state = dict(vars(self))
        if "model_" in state and self.model_.fits_file:
            state["model_"] = self.model_.to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Parameters and model from what ``__getstate__`` gave."""
        state = dict(state)
        if "model_" in state:
            given = state["model_"]
            model = TreeModel.from_bytes(given) if isinstance(given, bytes) else given
            state["model_"] = replace(model, threads=usable_threads(model.settings.get("n_jobs")))
        self.__dict__.update(state)

    def __sklearn_tags__(self) -> Any:
        """Missing values, categories, strings and sparse data are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = getattr(self, "missing", None) != "error"
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        return tags
