"""The drawing methods of trees and estimators."""

from __future__ import annotations

import os
from typing import Any

from .._messages import Setting
from .._typing import Axes, ColumnLike, TableLike
from ..data.frames.alignment import check_aligned
from ..errors import ParameterError
from ..pictures.axes import scene_axes
from ..pictures.draw import tree_scene
from ..pictures.files import kind_of, save_scene
from ..pictures.importance_chart import plot_importance
from ..pictures.options import PictureOptions
from ..pictures.rows import read_rows
from ..pictures.scene import Scene
from ..pictures.svg import scene_svg
from ..tree.tree import Tree
from .applied_tree import HoldsTree

#: A notebook shows so many ends, so at most 31 nodes; larger trees are folded.
_NOTEBOOK_LEAVES = 16


class PlottingMixin(HoldsTree):
    """The pictures of a tree, for whatever holds one: trees themselves and estimators."""

    def _drawn(self, X: TableLike | None = None, y: ColumnLike | None = None) -> tuple[Tree, Any, Any, str]:
        """The tree, rows and their response as it reads them, and the policy for levels not seen in training."""
        check_aligned(X=X, y=y)
        used, columns = (self._used(), None) if X is None else self._read(X)
        return used.tree, columns, self._response(y), used.policies["unseen"]

    def to_svg(
        self, X: TableLike | None = None, y: ColumnLike | None = None, *, max_depth: int | None = None,
        max_leaves: int | str | None = 30, min_share: float = 0.0, content: str = "bars",
        direction: str | None = None, node_size: str | None = None, align_leaves: bool | None = None,
        fit: str | None = None, target_class: Any = None,
        theme: str = "auto", title: str | None = None, node_numbers: bool = False,
    ) -> str:  # fmt: skip
        """Draw the tree as SVG, for a file, a web page or a notebook. No other package is required.

        Each node has a tooltip, and a description provides the tree as text for screen readers. For an estimator, the
        selected tree is drawn.

        Parameters
        ----------
        X : table of shape (n, p), optional
            Rows for ``content="histogram"``.
        y : column of n values, optional
            Their target values: required for classification, optional for regression.
        max_depth : int or None
            Draw nodes down to this depth; the root is at depth 0. None sets no limit.
        max_leaves : int, "all" or None
            Maximum number of leaves and folded nodes to draw; nodes with more rows are opened first. "all" and None set
            no limit.
        min_share : float
            Fold nodes with less than this proportion of the total weight; from 0 to 1.
        content : {"bars", "counts", "histogram", "text"}
            Content of the nodes:

            - "bars": a bar of the classes, or the mean and the spread.
            - "counts": the count of every class.
            - "histogram": the histogram of the split feature with the threshold; requires X and, for classes, y.
            - "text": text only.
        direction : {"down", "right"}, optional
            Direction from the root to the leaves. Default: "down"; with ``fit="page"``, the one with larger nodes.
        node_size : {"normal", "small"}, optional
            "small" draws nodes with one or two lines, for trees with many leaves and content "bars" or "text". Default:
            "normal"; with ``fit="page"``, the one that fits the page best.
        align_leaves : bool, optional
            Draw all leaves in one row (with ``direction="right"``, in one column) instead of at their depths. Default:
            False; with ``fit="page"``, whichever fits the page best.
        fit : {"page"}, optional
            Fit the tree to an A4 page in portrait or landscape format. By default, the picture is as large as the tree
            requires.
        target_class : label, optional
            Colour every node by the probability of this class, and print this probability instead of that of the
            predicted class.
        theme : {"auto", "light", "dark"}
            "auto" follows the system of the viewer in SVG, and is light in other formats.
        title : str, optional
            Title of the picture.
        node_numbers : bool
            Show the number of each node.

        Returns
        -------
        str
            One ``<svg>`` element, for a file or a web page. The same tree gives the same text.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError, ParameterTypeError
            A value is out of range or has the wrong type.
        DataError, DataTypeError
            The rows do not match the tree.

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
        options = PictureOptions(
            max_depth, max_leaves, min_share, content, direction, node_size, align_leaves, fit, target_class, theme,
            title, node_numbers,
        )  # fmt: skip
        return scene_svg(_scene(self._drawn(X, y), options), options.theme)

    def plot(
        self, path: str | os.PathLike[str] | None = None, X: TableLike | None = None, y: ColumnLike | None = None, *,
        ax: Axes | None = None, dpi: float = 144.0, max_depth: int | None = None,
        max_leaves: int | str | None = 30, min_share: float = 0.0, content: str = "bars",
        direction: str | None = None, node_size: str | None = None, align_leaves: bool | None = None,
        fit: str | None = None, target_class: Any = None,
        theme: str = "auto", title: str | None = None, node_numbers: bool = False,
    ) -> Axes | Any:  # fmt: skip
        """Draw the tree to a file, or with matplotlib.

        Parameters
        ----------
        path : str or path object, optional
            A file to write, ending in .svg (requires no other package), .png or .pdf (require matplotlib).
        X, y
            As for ``to_svg``.
        ax : matplotlib Axes, optional
            Without ``path``, the axes that the picture fills. Default: a new figure, as large as the tree requires.
        dpi : float
            Pixels per inch of a PNG; a point of the picture is 1/72 inch.
        max_depth, max_leaves, min_share, content, direction, node_size, align_leaves, fit, target_class
            As for ``to_svg``.
        theme, title, node_numbers
            As for ``to_svg``.

        Returns
        -------
        matplotlib Axes, or None if a file was written

        Raises
        ------
        NotFittedError, ParameterError, ParameterTypeError, DataError, DataTypeError
            As for ``to_svg``; or the file name has another ending.
        NotAvailableError
            matplotlib is required but not installed.
        FileError
            The file cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from boxwood import CARTClassifier
        >>> tree = CARTClassifier(pruning=None).fit({"age": [20, 30, 50]}, ["no", "no", "yes"]).tree_
        >>> ax = tree.plot(content="counts")
        >>> sorted({text.get_text() for text in ax.texts} & {"age", "> 40", "no", "yes"})
        ['> 40', 'age', 'no', 'yes']
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tree.plot(Path(folder) / "tree.svg")
        ...     (Path(folder) / "tree.svg").read_text(encoding="utf-8")[:4]
        '<svg'
        """
        options = PictureOptions(
            max_depth, max_leaves, min_share, content, direction, node_size, align_leaves, fit, target_class, theme,
            title, node_numbers,
        )  # fmt: skip
        if path is None:
            return scene_axes(_scene(self._drawn(X, y), options), ax, options.theme == "dark")
        if ax is not None:
            raise ParameterError(
                "give ", Setting("path"), ", to write a file, or ", Setting("ax"), ", to draw on axes; not both."
            )  # fmt: skip
        kind_of(path)
        save_scene(_scene(self._drawn(X, y), options), path, options.theme, dpi)
        return None

    def plot_importance(self, kind: str = "mdi", *, top: int | None = 20, ax: Axes | None = None) -> Axes:
        """Plot the importance of the features as bars, the largest on top.

        Parameters
        ----------
        kind : {"mdi", "mdi+surrogates"}
            As for ``importance``.
        top : int or None
            Maximum number of bars; None for all.
        ax : matplotlib Axes, optional
            Default: a new figure.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError, ParameterTypeError
            A value is out of range or has the wrong type.
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


def notebook_html(tree: Tree) -> str:
    """The picture of at most 31 nodes of a tree, in a frame that scrolls where it is too wide for the page."""
    options = PictureOptions(max_leaves=_NOTEBOOK_LEAVES)
    svg = scene_svg(_scene((tree, None, None, "missing"), options), options.theme)
    return f'<div style="overflow-x:auto">{svg}</div>'


def _scene(drawn: tuple[Tree, Any, Any, str], options: PictureOptions) -> Scene:
    """What ``_drawn`` gives, drawn."""
    tree, X, y, unseen = drawn
    if X is None and y is not None:
        raise ParameterError(
            Setting("y"), " without ", Setting("X"), ": a histogram needs both, other pictures neither."
        )  # fmt: skip
    rows = None if X is None else read_rows(tree, X, y, unseen)
    return tree_scene(tree, options, rows)
