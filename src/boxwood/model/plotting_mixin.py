"""The drawing methods of trees and estimators."""

from __future__ import annotations

import os

from ..errors import ParameterError
from ..pictures.axes import scene_axes
from ..pictures.draw import tree_scene
from ..pictures.files import kind_of, save_scene
from ..pictures.importance_chart import plot_importance
from ..pictures.options import picture_options
from ..pictures.rows import read_rows
from ..pictures.scene import Scene
from ..pictures.svg import scene_svg
from ..tree.tree import Tree

#: A notebook shows so many ends, so at most 31 nodes; larger trees are folded.
_NOTEBOOK_LEAVES = 16


class PlottingMixin:
    """The pictures of a tree, for whatever holds one: trees themselves and estimators."""

    def _drawn(self, X=None, y=None) -> tuple[Tree, object, object, str]:
        """The tree, rows and their response as it reads them, and the policy for levels not seen in training."""
        return self, X, y, "missing"

    def to_svg(self, X=None, y=None, **options) -> str:
        """The tree as SVG, without any package: for a file, a page or a notebook.

        Each node has a note that a pointer over it shows; a screen reader reads the tree in words as the description.
        Of an estimator, the selected tree is drawn.

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
            One ``<svg>`` element, for a file or within a page. The same tree gives the same text.

        Raises
        ------
        NotFittedError
            There is no model yet.
        ParameterError, ParameterTypeError
            There is no such option, or its value is wrong.
        DataError, DataTypeError
            Rows that do not fit the tree.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X, y = {"年龄": [20, 30, 50, 60]}, ["no", "no", "yes", "yes"]
        >>> model = CARTClassifier(pruning=None).fit(X, y)
        >>> svg = model.tree_.to_svg(direction="right")
        >>> svg[:4], "年龄" in svg, "≤ 40" in svg
        ('<svg', True, True)
        >>> "histogram" in model.to_svg(X, y, content="histogram").lower()
        True
        """
        tree, rows, truth, unseen = self._drawn(X, y)
        return tree_svg(tree, rows, truth, unseen, **options)

    def plot(self, ax=None, X=None, y=None, **options):
        """Draw the tree with matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            The picture fills it, texts included; by default a new figure of the size that the tree needs.
        X, y, **options
            As for ``to_svg``.

        Returns
        -------
        matplotlib Axes
            ``ax.figure.savefig`` writes it.

        Raises
        ------
        NotFittedError, ParameterError, ParameterTypeError, DataError, DataTypeError
            As for ``to_svg``.
        NotAvailableError
            matplotlib is not installed.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> tree = CARTClassifier(pruning=None).fit({"age": [20, 30, 50]}, ["no", "no", "yes"]).tree_
        >>> ax = tree.plot(content="counts")
        >>> sorted({text.get_text() for text in ax.texts} & {"age", "> 40", "no", "yes"})
        ['> 40', 'age', 'no', 'yes']
        """
        tree, rows, truth, unseen = self._drawn(X, y)
        return plot_tree(tree, ax, rows, truth, unseen, **options)

    def save_picture(self, path: str | os.PathLike, X=None, y=None, dpi: float = 144.0, **options) -> None:
        """Write the tree as a picture.

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
        tree, rows, truth, unseen = self._drawn(X, y)
        save_tree(tree, path, rows, truth, dpi, unseen, **options)

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
        return plot_importance(self._drawn()[0], kind, top, ax)


def tree_svg(tree: Tree, X=None, y=None, unseen: str = "missing", **options) -> str:
    """A tree as SVG text; ``unseen`` is the policy for levels that training did not have."""
    wanted = picture_options(options)
    return scene_svg(_scene(tree, wanted, X, y, unseen), wanted.theme)


def plot_tree(tree: Tree, ax=None, X=None, y=None, unseen: str = "missing", **options):
    """A tree on axes of matplotlib."""
    wanted = picture_options(options)
    return scene_axes(_scene(tree, wanted, X, y, unseen), ax, wanted.theme == "dark")


def save_tree(tree: Tree, path, X=None, y=None, dpi: float = 144.0, unseen: str = "missing", **options) -> None:
    """A tree in a file of a picture."""
    wanted = picture_options(options)
    kind_of(path)
    save_scene(_scene(tree, wanted, X, y, unseen), path, wanted.theme, dpi)


def notebook_html(tree: Tree) -> str:
    """The picture of at most 31 nodes of a tree, in a frame that scrolls where it is too wide for the page."""
    svg = tree_svg(tree, max_leaves=_NOTEBOOK_LEAVES)
    return f'<div style="overflow-x:auto">{svg}</div>'


def _scene(tree: Tree, options, X, y, unseen: str) -> Scene:
    if X is None and y is not None:
        raise ParameterError("y without X: a histogram needs both, other pictures neither.")
    rows = None if X is None else read_rows(tree, X, y, unseen)
    return tree_scene(tree, options, rows)
