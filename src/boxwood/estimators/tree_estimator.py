"""What every tree estimator has in common, whatever the algorithm: fit, predict, look inside, prune, save, pickle."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from ..algorithms import REGISTRY
from ..data.frame import learn_columns, read_columns
from ..training.learning_set import usable_threads
from ..training.model import TreeModel
from ..training.parameters import checked
from ..training.pruning_path import PruningPath, cp_rows, pruning_path
from ..tree.tree import Tree
from ..views.importance import importance, mdi
from .notices import told, warn_unseen
from .response import as_salt, flat, name_of, refuse_infinite


class TreeEstimator(BaseEstimator):
    """Base of the tree estimators; a subclass names its algorithm and declares its parameters.

    Everything that is learned is in ``model_``; the other fitted attributes are read from it.
    """

    _algorithm: ClassVar[str]
    _task: ClassVar[str]

    def _fit(self, X, y, sample_weight=None, exposure=None):
        """Fit aside and publish with one assignment: a fit that fails leaves the earlier model as it was."""
        algorithm = REGISTRY[self._algorithm]
        parameters = algorithm.parameters[self._task]
        given = {p.name: getattr(self, p.name) for p in parameters}
        settings = checked(parameters, given | {"random_state": as_salt(self.random_state)})
        with told(settings["verbose"]):
            columns = learn_columns(X, settings["categorical_features"])
            if settings["missing"] == "error":
                refuse_infinite(columns)
            target = algorithm.target(
                flat(y), settings, weight=sample_weight, exposure=exposure, name=name_of(y), task=self._task
            )
            model = algorithm.fit_target(columns, target, self._task, settings)
        self.model_ = model
        return self

    def __sklearn_is_fitted__(self) -> bool:
        """Whether there is a model."""
        return "model_" in vars(self)

    def _fitted(self) -> TreeModel:
        """The model, or scikit-learn's NotFittedError."""
        if "model_" not in vars(self):
            check_is_fitted(self)
        return self.model_

    def _land(self, X) -> tuple[TreeModel, np.ndarray]:
        """The model, and the node in which each row ends, int32, shape (n,)."""
        model = self._fitted()
        columns = read_columns(X, model.schema, estimator=type(self).__name__)
        if model.settings["missing"] == "error":
            refuse_infinite(columns)
        warn_unseen(columns, model.settings["unseen"])
        return model, model.land(columns).node

    @property
    def tree_(self) -> Tree:
        """The tree in force, pruned as it is: print it, or see :class:`boxwood.Tree`."""
        return self._fitted().tree

    @property
    def n_features_in_(self) -> int:
        """Number of columns of X at fit."""
        return len(self._fitted().schema)

    @property
    def feature_names_in_(self) -> np.ndarray:
        """Column names of X at fit, object, shape (p,); only there when X had names."""
        schema = self._fitted().schema
        if not schema.named:
            raise AttributeError(f"this {type(self).__name__} has no feature_names_in_: X had no column names.")
        return np.array(schema.names, dtype=object)

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of each feature in the decrease of impurity by the splits, float64, shape (p,); adds to 1, or all 0."""
        return mdi(self._fitted().tree)

    def importance(self, kind: str = "mdi", *, normalize: bool = True) -> np.ndarray:
        """How much each feature helps.

        Parameters
        ----------
        kind : {"mdi", "mdi+surrogates"}
            Decrease of impurity by the splits on a feature (scikit-learn's); or rpart's, in which a split counts for
            its surrogates too, by their adjusted agreement (Breiman et al. 1984, 5.3.4).
        normalize : bool
            Divide by the sum; else "mdi" is in units of impurity, "mdi+surrogates" in weight times impurity.

        Returns
        -------
        float64, shape (p,)

        Raises
        ------
        ParameterError
            There is no such kind.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X, y = [[0, 1], [1, 2], [2, 3], [3, 4]], ["no", "no", "yes", "yes"]
        >>> CARTClassifier(pruning=None).fit(X, y).importance("mdi+surrogates").tolist()
        [0.5, 0.5]
        """
        return importance(self._fitted().tree, kind, normalize)

    @property
    def cost_complexity_path_(self) -> PruningPath:
        """The nested family of pruned trees of the full tree, worked out at first use if the fit did not prune."""
        return pruning_path(self._fitted())

    def get_depth(self) -> int:
        """Number of splits on the longest way from the root to a leaf.

        Raises
        ------
        NotFittedError
            There is no model yet.
        """
        return self._fitted().tree.max_depth

    def get_n_leaves(self) -> int:
        """Number of leaves of the tree in force.

        Raises
        ------
        NotFittedError
            There is no model yet.
        """
        return self._fitted().tree.n_leaves

    def predict(self, X) -> np.ndarray:
        """What the tree says of each row.

        Parameters
        ----------
        X : table of shape (n, p)
            Any container, with the columns of fit in the same order.

        Returns
        -------
        ndarray of shape (n,)
            Class labels, means, or rates (events per unit of exposure).

        Raises
        ------
        NotFittedError
            There is no model yet.
        DataError, DataTypeError
            Data that do not fit the model; the message names column, row and value.
        """
        model, node = self._land(X)
        return model.decide(node)

    def apply(self, X) -> np.ndarray:
        """Number of the node in which each row ends.

        Parameters
        ----------
        X : table of shape (n, p)

        Returns
        -------
        int64, shape (n,)
            A leaf of ``tree_``, or an inner node for a row that stays there.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.
        """
        return self._land(X)[1].astype(np.int64)

    def decision_path(self, X):
        """The nodes that each row passes.

        Parameters
        ----------
        X : table of shape (n, p)

        Returns
        -------
        scipy.sparse.csr_matrix of shape (n, nodes)
            1 where the row passes the node, root and last node included.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``.
        """
        from scipy.sparse import csr_matrix

        model, node = self._land(X)
        indptr, indices = model.tree.passed(node)
        ones = np.ones(len(indices), dtype=np.int64)
        return csr_matrix((ones, indices, indptr), shape=(len(node), model.tree.n_nodes))

    def prune(self, alpha: float | None = None, *, cp: float | None = None, n_leaves: int | None = None):
        """Prune elsewhere along the path of the full tree, more or less than now, without a refit; changes this model.

        Parameters
        ----------
        alpha : float, optional
            Price of a leaf on scikit-learn's scale, as in ``cost_complexity_path_.ccp_alphas``; 0 keeps all that helps.
        cp : float, optional
            The same as a share of the root's risk, as in ``cp_table()``.
        n_leaves : int, optional
            The largest tree of the path with at most so many leaves.

        Returns
        -------
        self

        Raises
        ------
        NotFittedError
            There is no model yet.
        ParameterError
            Not exactly one of the three is given, or it is out of range.
        """
        self.model_ = self._fitted().prune(alpha, cp=cp, n_leaves=n_leaves)
        return self

    def cp_table(self, style: str | None = None) -> list[dict]:
        """The table of complexity parameters as rpart prints it, the root alone first.

        Parameters
        ----------
        style : {"exact", "rpart"}, optional
            Exact weakest links, or rpart's one-pass complexity; by default as the model was pruned.

        Returns
        -------
        list of dict
            CP (alpha as a share of the root's risk), nsplit, rel_error (risk as a share of the root's); and when
            held-out losses exist in that style xerror and xstd, as shares of the root's loss.

        Raises
        ------
        NotFittedError
            There is no model yet.
        ParameterError
            The style is unknown.
        """
        return cp_rows(self._fitted(), style)

    def save(self, path: str | os.PathLike) -> None:
        """Write a model file that :func:`boxwood.load` and the command line read; see docs/format.md.

        Parameters
        ----------
        path : str or path object
            Usually ends in ``.box``; an older file is replaced only when the new one is complete.

        Raises
        ------
        NotFittedError
            There is no model yet.
        FileError
            The file cannot be written.
        """
        self._fitted().save(path)

    def __getstate__(self) -> dict:
        """Parameters, and the bytes of the model file for the model."""
        state = dict(vars(self))
        if "model_" in state:
            state["model_"] = self.model_.to_bytes()
        return state

    def __setstate__(self, state: dict) -> None:
        """Parameters and model from what ``__getstate__`` gave."""
        state = dict(state)
        if "model_" in state:
            model = TreeModel.from_bytes(state["model_"])
            state["model_"] = replace(model, threads=usable_threads(model.settings["n_jobs"]))
        vars(self).update(state)

    def __sklearn_tags__(self):
        """Missing values, categories and strings are welcome; sparse data are not."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
