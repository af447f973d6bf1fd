"""The pruning path of a model: its nested sequence per unit of weight, and the table that rpart prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._typing import Axes
from ..errors import ModelFileError
from ..pictures.pruning_chart import plot_over_leaves
from ..pruning.cost_complexity import leaves_and_risks, risk_of
from ..pruning.losses import training_losses
from ..pruning.rpart_table import cp_table
from ..pruning.selection import sizes_within_one_error
from ..statistics.overflow import may_overflow
from ..views.table import frame_of
from .tree_model import TreeModel


@dataclass(frozen=True, eq=False)
class PruningPath:
    """The nested sequence of cost-complexity pruning, from the full tree to the root.

    Tree s minimises risk + alpha * leaves for alpha from ``ccp_alphas[s]`` up to the next one.

    Attributes
    ----------
    ccp_alphas : float64, shape (S,)
        The penalties for a leaf at which the trees become optimal, in ascending order, per unit of weight as in
        scikit-learn.
    impurities : float64, shape (S,)
        Risk of each tree per unit of weight: the impurities of its leaves, weighted by their shares of the rows.
    n_leaves : int64, shape (S,)
        Number of leaves of each tree.
    training_losses : float64, shape (S,)
        Loss of each tree on the training set: the loss by which held-out rows choose, such as the Brier score.
    cv_mean, cv_se : float64, shape (S,), or None
        The same loss on held-out rows, and its standard error; None without cross-validation.

    Notes
    -----
    Breiman, Friedman, Olshen, Stone: Classification and Regression Trees, 1984, chapter 3.

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> path = CARTRegressor(pruning=None).fit([[1], [2], [3]], [0, 0, 3]).cost_complexity_path_
    >>> path.ccp_alphas.tolist(), path.impurities.tolist(), path.n_leaves.tolist()
    ([0.0, 2.0], [0.0, 2.0], [2, 1])
    """

    ccp_alphas: np.ndarray
    impurities: np.ndarray
    n_leaves: np.ndarray
    training_losses: np.ndarray
    cv_mean: np.ndarray | None = None
    cv_se: np.ndarray | None = None

    def to_frame(self, backend: str | None = None) -> Any:
        """The path as a data frame, one row per tree.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame, pyarrow.Table or dict of lists
            The attributes are the columns; those of cross-validation are absent without it.

        Raises
        ------
        ParameterError
            There is no such backend.
        NotAvailableError
            The package is not installed.
        """
        columns = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return frame_of({name: v.tolist() for name, v in columns.items() if v is not None}, backend)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Plot the loss against the number of leaves, on the training set and cross-validated with standard errors.

        The loss is the error rate or mean cost, the squared error, or the Poisson deviance.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on; default: a new figure.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        NotAvailableError
            matplotlib is not installed.
        """
        lines = {"training set": self.training_losses}
        if self.cv_mean is not None:
            lines["held-out rows"] = self.cv_mean
        return plot_over_leaves(self.n_leaves, lines, self.cv_se, -1, ax)


@dataclass(frozen=True, eq=False)
class PruningSequence:
    """The trees among which the pruner selected, from the largest to the smallest, and the selected one.

    Attributes
    ----------
    pruner : str
        Name of the pruner; "cost_complexity" for any tree of the cost-complexity sequence.
    parameter : str
        The parameter that distinguishes the trees: "alpha", "threshold", "confidence", "step", "n_leaves" or "lambda".
    values : float64, shape (S,)
        Its value for each tree; alphas and lambdas are per unit of weight.
    n_leaves : int64, shape (S,)
        Number of leaves of each tree.
    risks : float64, shape (S,)
        Risk of each tree on the training set, per unit of weight.
    row : int
        Position of the selected tree; -1 if the full tree was kept.
    losses, errors : float64, shape (S,), or None
        Held-out loss of each tree (the loss by which held-out rows choose, such as the Brier score), and its standard
        error; None if no rows were held out.
    training_losses : float64, shape (S,), or None
        The same loss on the training set; None if the pruner used another risk and kept only that.

    Examples
    --------
    >>> from boxwood import CARTRegressor
    >>> path = CARTRegressor(pruning=None).fit([[1], [2], [3]], [0, 0, 3]).prune(n_leaves=1).pruning_path_
    >>> path.to_frame("dict")
    {'alpha': [0.0, 2.0], 'n_leaves': [2, 1], 'risk': [0.0, 2.0], 'selected': [False, True]}
    """

    pruner: str
    parameter: str
    values: np.ndarray
    n_leaves: np.ndarray
    risks: np.ndarray
    row: int
    losses: np.ndarray | None = None
    errors: np.ndarray | None = None
    training_losses: np.ndarray | None = None

    @property
    def leaves_within_1se(self) -> tuple[int, int] | None:
        """The smallest and the largest number of leaves of the trees within one standard error of the minimum loss.

        A wide range means that the choice is uncertain: another sample could have selected any of these trees. None if
        no rows were held out.

        Examples
        --------
        >>> from boxwood import CARTClassifier, datasets
        >>> X = datasets.load("iris")
        >>> y = X.pop("species")
        >>> CARTClassifier().fit(X, y).pruning_path_.leaves_within_1se
        (3, 9)
        """
        if self.losses is None:
            return None
        return sizes_within_one_error(self.n_leaves, np.column_stack((self.losses, self.errors)))

    def to_frame(self, backend: str | None = None) -> Any:
        """The sequence as a data frame, one row per tree.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame, pyarrow.Table or dict of lists
            Columns: the parameter (under its name), n_leaves, risk and selected; if rows were held out, also loss, se
            and, if known, training_loss.

        Raises
        ------
        ParameterError
            There is no such backend.
        NotAvailableError
            The package is not installed.
        """
        columns = {self.parameter: self.values.tolist(), "n_leaves": self.n_leaves.tolist()}
        columns |= {"risk": self.risks.tolist(), "selected": [row == self.row for row in range(len(self.values))]}
        if self.losses is not None:
            columns |= {"loss": self.losses.tolist(), "se": self.errors.tolist()}
            columns |= {} if self.training_losses is None else {"training_loss": self.training_losses.tolist()}
        return frame_of(columns, backend)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Plot the loss against the number of leaves, on the training set and on held-out rows with standard errors.

        The loss is the error rate or mean cost, the squared error, or the Poisson deviance. If the training loss is
        unknown, only the held-out loss is drawn; if no rows were held out either, the pruner's own risk.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on; default: a new figure.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        NotAvailableError
            matplotlib is not installed.
        """
        lines = {"training set": self.training_losses, "held-out rows": self.losses}
        lines = {name: line for name, line in lines.items() if line is not None} or {"training set": self.risks}
        return plot_over_leaves(self.n_leaves, lines, self.errors, self.row, ax)


def pruning_sequence(model: TreeModel) -> PruningSequence:
    """The sequence of the current pruner: its own, or the weakest-link family."""
    own, unit = model.sequence, model.unit
    if own is None:
        path = model.path.scaled(unit)
        held_out = (None, None) if model.held_out is None else tuple(model.held_out.T)
        return PruningSequence(
            "cost_complexity", "alpha", path.alphas, path.n_leaves, path.risks, model.row, *held_out,
            _training_losses(model),
        )  # fmt: skip
    held_out = (None, None) if own.held_out is None else tuple(own.held_out.T)
    values = own.values / unit if own.parameter in ("alpha", "lambda") else own.values
    risks = own.risks / unit
    in_loss = model.pruned_by.get("risk") is None and model.loss == model.full_tree.response.plain_loss()
    return PruningSequence(
        model.pruned_by["pruner"], own.parameter, values, own.n_leaves, risks, own.row, *held_out,
        risks if in_loss else None,
    )  # fmt: skip


def pruning_path(model: TreeModel) -> PruningPath:
    """The family of a model's full tree, per unit of the root's weight."""
    path = model.path.scaled(model.unit)
    held_out = (None, None) if model.held_out is None else tuple(model.held_out.T)
    return PruningPath(path.alphas, path.risks, path.n_leaves, _training_losses(model), *held_out)


def _training_losses(model: TreeModel) -> np.ndarray:
    """Loss on the training set of each tree of the weakest-link family, in units of held-out losses, shape (S,)."""
    path, loss = model.path, training_losses(model.full_tree, model.loss)
    return leaves_and_risks(model.full_tree, loss, path.collapses_at, path.alphas)[1] / model.unit


@may_overflow  # losses in units of a risk that is next to nothing
def cp_rows(model: TreeModel, style: str | None = None) -> list[dict[str, Any]]:
    """The rows of rpart's table of complexity parameters, the root alone first.

    Parameters
    ----------
    model : TreeModel
    style : {"exact", "rpart"}, optional
        See :func:`boxwood.pruning.rpart_table.cp_table`; by default as the model was pruned.

    Returns
    -------
    list of dict
        CP in the risk that pruning weighs against leaves, nsplit, and rel_error; xerror and xstd, measured as
        rel_error is, in the style the model was pruned with, if it was cross-validated.

    Raises
    ------
    ParameterError
        There is no such style.
    """
    own = "exact" if model.family_by is None else model.family_by["style"]
    path, tree = model.path, model.full_tree
    risk, loss = risk_of(tree, model.risk_name), training_losses(tree, model.loss)
    rows = cp_table(tree, risk, float(path.alphas[0]), own if style is None else style, loss)
    if model.held_out is None or (style or own) != own:
        return rows
    unit = float(loss[0]) / model.unit
    losses = (model.held_out[::-1] / (unit if unit > 0 else 1.0)).tolist()
    if len(losses) != len(rows):
        raise ModelFileError("the model file's pruning family is not that of its tree; fit the model again.")
    return [row | {"xerror": mean, "xstd": error} for row, (mean, error) in zip(rows, losses, strict=True)]
