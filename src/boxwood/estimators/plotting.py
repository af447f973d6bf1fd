"""Pictures of a fitted estimator: the tree, what helped, what pruning costs, and how well it finds a class."""

from __future__ import annotations

import os

from ..data.weights import read_weights
from ..model.plotting_mixin import notebook_html, plot_tree, save_tree, tree_svg
from ..pictures.gains_chart import gains_of, plot_gains, target_code
from ..pictures.importance_chart import plot_importance
from .response import flat


class Plotting:
    """The part of a tree estimator that draws its model."""

    def _drawn_from(self, X, y) -> tuple:
        """The tree, rows as it reads them, and the policy for levels not seen."""
        model = self._fitted()
        unseen = model.settings.get("unseen", "missing")
        return model.tree, None if X is None else self._read(X)[1], None if y is None else flat(y), unseen

    def to_svg(self, X=None, y=None, **options) -> str:
        """The selected tree as SVG, without any package.

        Parameters
        ----------
        X : table of shape (n, p), optional
            Rows for ``content="histogram"``.
        y : column of n values, optional
            Their response: needed for classes, possible for means.
        **options
            max_depth, max_leaves, min_share, content, direction, theme, title, node_numbers, digits: docs/pictures.md
            has the list.

        Returns
        -------
        str
            One ``<svg>`` element that stands alone or within a page.

        Raises
        ------
        NotFittedError
            There is no model yet.
        ParameterError, ParameterTypeError
            There is no such option, or its value is wrong.
        DataError, DataTypeError
            Rows that do not fit the model.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X, y = {"age": [20, 30, 50, 60]}, ["no", "no", "yes", "yes"]
        >>> model = CARTClassifier(pruning=None).fit(X, y)
        >>> "histogram" in model.to_svg(X, y, content="histogram").lower()
        True
        """
        tree, columns, truth, unseen = self._drawn_from(X, y)
        return tree_svg(tree, columns, truth, unseen, **options)

    def plot(self, ax=None, X=None, y=None, **options):
        """Draw the selected tree with matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            The picture fills it, texts included; by default a new figure of the size that the tree needs.
        X, y, **options
            As for ``to_svg``.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        NotFittedError, ParameterError, ParameterTypeError, DataError, DataTypeError
            As for ``to_svg``.
        NotAvailableError
            matplotlib is not installed.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> ax = CARTRegressor(pruning=None).fit({"age": [20, 30, 50]}, [0, 1, 5]).plot(max_depth=1)
        >>> "+ 2 nodes" in {text.get_text() for text in ax.texts}
        True
        """
        tree, columns, truth, unseen = self._drawn_from(X, y)
        return plot_tree(tree, ax, columns, truth, unseen, **options)

    def save_picture(self, path: str | os.PathLike, X=None, y=None, dpi: float = 144.0, **options) -> None:
        """Write the selected tree as a picture.

        Parameters
        ----------
        path : str or path object
            Ends in .svg, or, with matplotlib, .png or .pdf.
        dpi : float
            Pixels per inch of a PNG; a point of the picture is 1/72 inch.
        X, y, **options
            As for ``to_svg``.

        Raises
        ------
        NotFittedError, ParameterError, ParameterTypeError, DataError, DataTypeError
            As for ``to_svg``; or the ending is none of these.
        NotAvailableError
            matplotlib is needed and not installed.
        FileError
            The file cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from boxwood import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit({"age": [20, 30, 50]}, [0, 1, 5])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save_picture(Path(folder) / "tree.png")
        ...     (Path(folder) / "tree.png").read_bytes()[1:4]
        b'PNG'
        """
        tree, columns, truth, unseen = self._drawn_from(X, y)
        save_tree(tree, path, columns, truth, dpi, unseen, **options)

    def plot_importance(self, ax=None, kind: str = "mdi", top: int | None = 20):
        """How much each feature helps, as bars, the largest on top.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            A new figure by default.
        kind : {"mdi", "mdi+surrogates"}
            As for ``importance``.
        top : int or None
            At most so many bars; None for all.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        NotFittedError
            There is no model yet.
        ParameterError, ParameterTypeError
            A value is out of range or of a wrong type.
        NotAvailableError
            matplotlib is not installed.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> X, y = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}, [0, 1, 3, 4]
        >>> ax = CARTRegressor(pruning=None).fit(X, y).plot_importance()
        >>> [text.get_text() for text in ax.get_yticklabels()]
        ['a', 'b']
        """
        return plot_importance(self._fitted().tree, kind, top, ax)

    def plot_pruning(self, ax=None):
        """Loss over the number of leaves in the trees among which the pruner chose; the one chosen is marked.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            A new figure by default.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        NotFittedError
            There is no model yet.
        NotAvailableError
            matplotlib is not installed.

        Examples
        --------
        >>> from boxwood import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit([[1], [2], [3]], [0, 0, 3]).prune(n_leaves=1)
        >>> model.plot_pruning().get_legend_handles_labels()[1]
        ['selected: 1 leaves', 'training set']
        """
        return self.pruning_path_.plot(ax)

    def plot_gains(self, X, y, target_class=None, *, kind: str = "gains", sample_weight=None, ax=None):
        """Cumulative gains: which share of a class, or of the sum of y, is in the rows that the tree ranks first.

        Rows are asked in the order of the probability of the class, or of the number predicted; those of equal rank
        come together. Drawn are also the best possible order and the line of chance.

        Parameters
        ----------
        X : table of shape (n, p)
            Rows, best such that the tree was not grown from.
        y : column of n values
            Their response.
        target_class : label, optional
            The class looked for; the second of two by default. For models of numbers it is left out, and y must not be
            negative.
        kind : {"gains", "lift"}
            Share found, or share found over share asked.
        sample_weight : column of n numbers, optional
        ax : matplotlib Axes, optional
            A new figure by default.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        NotFittedError
            There is no model yet.
        ParameterError
            There is no such class or kind.
        DataError, DataTypeError
            Rows that do not fit the model, or hold nothing to be found.
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
        model, columns = self._read(X)
        model.need_constant_leaves("plot_gains")
        routing = model.land(columns)
        target = target_code(model.tree, target_class)
        weight = read_weights(sample_weight, len(routing.node))
        curve = gains_of(model.tree, routing, flat(y), target, weight)
        return plot_gains(model.tree, curve, target, kind, ax)

    def _repr_html_inner(self) -> str:
        """What a notebook shows: scikit-learn's block, and the tree when there is one."""
        return super()._repr_html_inner() + self._picture()

    def _repr_mimebundle_(self, **kwargs) -> dict:
        """The same for notebooks that ask for several forms at once."""
        forms = super()._repr_mimebundle_(**kwargs)
        if "text/html" in forms:
            forms["text/html"] += self._picture()
        return forms

    def _picture(self) -> str:
        return notebook_html(self.model_.tree) if "model_" in vars(self) else ""
