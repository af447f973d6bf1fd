"""Pictures of a fitted estimator: the tree, importances, the pruning path, gains and lift."""

from __future__ import annotations

from typing import Any

from .._typing import Axes, ColumnLike, TableLike
from ..data.frames.alignment import check_aligned
from ..data.frames.weights import relative_weights
from ..model.plotting_mixin import PlottingMixin, notebook_html
from ..model.pruning_path import pruning_sequence
from ..model.regions_mixin import RegionsMixin
from ..pictures.gains_chart import gains_of, plot_gains
from ..views.target import target_of
from .fitted import FittedTree
from .response import flat


class Plotting(FittedTree, PlottingMixin, RegionsMixin):
    """The part of a tree estimator that draws its model."""

    def plot_pruning(self, ax: Axes | None = None) -> Axes:
        """Plot the loss against the number of leaves for the candidate trees of the pruner, and mark the selected tree.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Default: a new figure.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        NotAvailableError
            matplotlib is not installed.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit([[1], [2], [3]], [0, 0, 3]).prune(n_leaves=1)
        >>> model.plot_pruning().get_legend_handles_labels()[1]
        ['selected: 1 leaves', 'training set']
        """
        return pruning_sequence(self._fitted()).plot(ax)

    def plot_gains(
        self,
        X: TableLike,
        y: ColumnLike,
        target_class: Any = None,
        *,
        kind: str = "gains",
        sample_weight: ColumnLike | None = None,
        ax: Axes | None = None,
    ) -> Axes:
        """Plot cumulative gains: the proportion of a class, or of the sum of y, among the rows ranked first.

        Rows are ranked by the probability of the class or by the predicted number; rows with equal predictions form one
        step. The curves of a perfect and of a random ranking are drawn too.

        Parameters
        ----------
        X : table of shape (n, p)
            Rows to evaluate, preferably held out.
        y : column of n values
            Their response.
        target_class : label, optional
            The target class; default: the class of interest of the model. Omit it for regression; y must then not be
            negative.
        kind : {"gains", "lift"}
            Proportion found, or proportion found divided by the proportion of rows.
        sample_weight : column of n numbers, optional
        ax : matplotlib Axes, optional
            Default: a new figure.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError
            There is no such class or kind.
        DataError, DataTypeError
            The rows do not match the model, or none of them belongs to the target class.
        NotAvailableError
            matplotlib is not installed.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X, y = {"age": [20, 30, 50, 60]}, ["no", "no", "yes", "yes"]
        >>> ax = CARTClassifier(pruning=None).fit(X, y).plot_gains(X, y, "yes")
        >>> line = {line.get_label(): line for line in ax.lines}["this tree"]
        >>> line.get_xdata().tolist(), line.get_ydata().tolist()
        ([0.0, 50.0, 100.0], [0.0, 100.0, 100.0])
        """
        check_aligned(X=X, y=y, sample_weight=sample_weight)
        model, columns = self._read(X)
        model.need_constant_leaves("plot_gains")
        routing = model.route(columns)
        target = target_of(model.tree.response).code(model.tree, target_class)
        weight = relative_weights(sample_weight, len(routing.node))
        curve = gains_of(model.tree, routing, flat(y), target, weight)
        return plot_gains(model.tree, curve, target, kind, ax)

    def _repr_html_inner(self) -> str:
        """What a notebook shows: scikit-learn's block, and the tree when there is one."""
        return super()._repr_html_inner() + self._picture()  # type: ignore[misc]

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The same for notebooks that request several forms at once."""
        forms: dict[str, Any] = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        if "text/html" in forms:
            forms["text/html"] += self._picture()
        return forms

    def _picture(self) -> str:
        return notebook_html(self.model_.tree) if "model_" in vars(self) else ""
