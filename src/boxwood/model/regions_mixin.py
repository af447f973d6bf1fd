"""The picture of the regions into which a tree cuts one or two features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._messages import Setting, remedy
from .._typing import Axes, ColumnLike, TableLike
from ..data.frames.alignment import check_aligned
from ..data.frames.weights import check_lengths
from ..errors import ParameterError
from ..pictures.picture import Picture
from ..pictures.region_options import region_options
from ..pictures.regions import find_regions
from ..pictures.regions_axes import regions_axes
from ..pictures.regions_scene import regions_scene
from ..pictures.rows import read_truth
from .applied_tree import HoldsTree


class RegionsMixin(HoldsTree):
    """``plot_regions`` for whatever holds a tree of constant leaves."""

    def plot_regions(
        self, X: TableLike, y: ColumnLike | None = None, *, features: str | int | Sequence[str | int] | None = None,
        fixed: Mapping[str, Any] | None = None, target_class: Any = None, ax: Axes | None = None,
    ) -> Picture | Any:  # fmt: skip
        """Plot the partition of the plane of two features, or of the axis of one, by the tree.

        Regions of a classifier have the colour of the predicted class, darker for higher probabilities. Regions of a
        regressor are darker for larger predictions; with one feature, a regressor is drawn as a step function. The
        first split has the widest line. Levels of a nominal or ordinal feature are drawn as bands.

        Parameters
        ----------
        X : table of shape (n, p)
            Rows with the columns of fit. They determine the ranges of the axes and are drawn as points: at most 2,000,
            every k-th row.
        y : column of n values, optional
            Their target values, shown by the colour and shape of the points. Not for rates.
        features : name or position of a column, or a list of one or two, optional
            The features of the axes, the horizontal one first. Default: all features if there are at most two,
            otherwise those that the tree tests.
        fixed : dict of column name to value, optional
            Values of the other features that the tree tests: the picture is a slice through the tree at these values.
            Only rows that reach the same nodes with these values are drawn.
        target_class : label, optional
            Colour by the probability of this class.
        ax : matplotlib Axes, optional
            Axes to draw on, in the units of the features (level k is the band from k to k + 1).

        Returns
        -------
        Picture, or matplotlib Axes
            Without ``ax``, a :class:`~boxwood.pictures.picture.Picture`: ``picture.save("regions.svg")`` writes a file,
            ``picture.svg`` is the SVG text, and a notebook displays it.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError, ParameterTypeError
            There is no such feature, value or class, or the tree tests a feature that is neither shown nor fixed.
        DataError, DataTypeError
            The rows do not match the model.

        Examples
        --------
        >>> from boxwood import CARTClassifier
        >>> X = {"age": [20, 30, 50, 60], "income": [1, 5, 2, 6]}
        >>> y = ["no", "yes", "no", "no"]
        >>> model = CARTClassifier(pruning=None).fit(X, y)
        >>> svg = model.plot_regions(X, y).svg
        >>> "age" in svg, "income" in svg, svg.count("<title>node")
        (True, True, 3)
        """
        check_aligned(X=X, y=y)
        self._used().need_constant_leaves("plot_regions")
        used, columns = self._read(X)
        tree, truth, unseen = used.tree, self._response(y), used.policies["unseen"]
        if truth is not None and tree.response.takes_exposure:
            raise ParameterError(
                "regions of a tree of rates take no ", Setting("y"), ", which has no exposure here; ",
                remedy("leave it out"), ".",
            )  # fmt: skip
        codes = None if truth is None else read_truth(tree, truth)
        if codes is not None:
            check_lengths(columns.n, len(codes))
        regions = find_regions(tree, columns, codes, region_options(tree, features, fixed, target_class), unseen)
        return Picture(regions_scene(tree, regions)) if ax is None else regions_axes(regions, ax)
