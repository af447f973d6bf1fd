"""The picture of the regions into which a tree cuts one or two features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..data.columns import Columns
from ..data.frame import read_columns
from ..data.weights import check_lengths
from ..errors import ParameterError
from ..pictures.picture import Picture
from ..pictures.region_options import region_options
from ..pictures.regions import find_regions
from ..pictures.regions_axes import regions_axes
from ..pictures.regions_scene import regions_scene
from ..pictures.rows import read_truth
from ..statistics.response import RATE
from ..tree.tree import Tree


class RegionsMixin:
    """``plot_regions`` for whatever holds a tree of constant leaves."""

    def _regions_of(self, X, y) -> tuple[Tree, object, object, str]:
        """The tree, rows and their response as it reads them, and the policy for levels not seen in training."""
        return self, X, y, "missing"

    def plot_regions(
        self, X: Any, y: Any = None, *, features: str | int | Sequence[str | int] | None = None,
        fixed: Mapping[str, Any] | None = None, target_class: Any = None, ax: Any = None,
    ) -> Any:  # fmt: skip
        """How the tree cuts the plane of two features, or the line of one: a partition plot.

        Regions of a classifier have the colour of their predicted class, deeper where it is more probable; regions of
        a regressor are deeper where the predicted number is larger. Over one feature, a regressor is drawn as a line
        of steps. The first split has the widest line. Levels of a nominal or ordinal feature are bands.

        Parameters
        ----------
        X : table of shape (n, p)
            Rows with the columns of fit, drawn as points; they give the ranges of the axes. At most 2,000 are drawn,
            every k-th.
        y : column of n values, optional
            Their response: colour and shape of the points. Not for rates.
        features : name or position of a column, or a list of one or two, optional
            The features along the axes, the horizontal one first. By default both where the model has at most two,
            else those that the tree tests.
        fixed : dict of column name to value, optional
            Values of other features that the tree tests: the picture is the slice of the tree at these values. Only
            rows that these values leave in their node are drawn.
        target_class : label, optional
            Colour by the probability of this class.
        ax : matplotlib Axes, optional
            Axes to draw on, in the features' own numbers (level k is the band from k to k + 1).

        Returns
        -------
        Picture, or matplotlib Axes
            Without ``ax`` a picture: ``picture.save("regions.svg")`` writes it (also .png and .pdf), ``picture.svg`` is
            its text, and a notebook shows it.

        Raises
        ------
        NotFittedError
            There is no model yet.
        ParameterError, ParameterTypeError
            There is no such feature, value or class; or the tree tests a feature that is neither shown nor fixed.
        DataError, DataTypeError
            Rows that do not fit the model.

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
        tree, rows, truth, unseen = self._regions_of(X, y)
        columns = rows if isinstance(rows, Columns) else read_columns(rows, tree.schema, estimator="this tree")
        if truth is not None and tree.response.kind == RATE:
            raise ParameterError("regions of a tree of rates take no y, which has no exposure here; leave it out.")
        codes = None if truth is None else read_truth(tree, truth)
        if codes is not None:
            check_lengths(columns.n, len(codes))
        regions = find_regions(tree, columns, codes, region_options(tree, features, fixed, target_class), unseen)
        return Picture(regions_scene(tree, regions)) if ax is None else regions_axes(regions, ax)
