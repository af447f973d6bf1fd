"""Views of a fitted MARS estimator: summary, tables, importance, decomposition, pictures."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._messages import must_be
from .._typing import ColumnLike, Figure, TableLike
from ..algorithms.mars import responses
from ..data.columns.columns import Columns
from ..data.frames.alignment import check_aligned
from ..data.frames.class_labels import known_classes
from ..data.frames.frame import read_columns
from ..data.frames.weights import relative_weights
from ..errors import DataError, ParameterError
from ..mars.anova import Anova, decomposition
from ..mars.design import indicators
from ..mars.model import MARSModel
from ..mars.plots import plot_effects
from ..mars.words import records, subset_records, summary
from ..views.row_table import RowTable
from ..views.table import frame_of
from .model_exporting import ModelExporting
from .notices import warn_unseen
from .response import flat


class MARSViews(ModelExporting):
    """The methods of a MARS estimator that read ``model_``."""

    model_: MARSModel

    def _read(self, X: TableLike) -> Columns:
        model = self._fitted()
        columns = read_columns(X, model.schema, estimator=type(self).__name__)
        warn_unseen(columns, model.settings["unseen"])
        return columns

    def summary(self) -> str:
        """The model as text.

        Returns
        -------
        str
            The selected terms with their coefficients (in units of y or in log odds), GCV and RSS (in squared units of
            y), GRSq and RSq, R2 on held-out rows if there were folds, and the reason why the forward pass ended.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.

        Examples
        --------
        >>> from boxwood import MARSRegressor, datasets
        >>> X = datasets.load("trees")
        >>> y = X.pop("volume")
        >>> print(MARSRegressor().fit(X, y).summary())
        MARS for y: 4 of 5 terms, 2 of 2 features
                       coefficient
        (constant)           29.06
        h(girth-14.2)      6.22951
        h(14.2-girth)     -3.41981
        h(height-75)      0.581364
        Coefficients. h(z) is z where z is above 0, else 0.
        GCV 11.2544  RSS 209.114  GRSq 0.960  RSq 0.974
        The forward pass ended because RSq changed by less than 0.001.
        """
        return summary(self._fitted())

    def to_frame(self, what: str = "terms", backend: str | None = None) -> Any:
        """Terms, subsets or importance as a data frame.

        Parameters
        ----------
        what : {"terms", "subsets", "importance"}
            "terms": one row for each selected term. Columns: term (formula), words (description), degree (number of
            factors), features, and the coefficients: "coefficient", or one column per response or class; after a
            logistic step also with the suffix " (log odds)". "subsets": one row for each size in the backward pass.
            Columns: terms (their number), rss and gcv (in squared units of y), rsq, grsq, chosen (the selected size).
            "importance": one row for each feature, see ``importance``.
        backend : {"pandas", "polars", "pyarrow", "dict"}, optional
            Default: the first of pandas, polars and pyarrow that is installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame, pyarrow.Table or dict of lists

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        ParameterError, NotAvailableError
            There is no such table or backend, or the backend is not installed.

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> model = MARSRegressor().fit({"x": [0.0, 1, 2, 3, 4, 5, 6, 7]}, [0, 1, 2, 3, 4, 5, 6, 7])
        >>> model.to_frame(backend="dict")["term"]
        ['(constant)', 'x']
        """
        model = self._fitted()
        tables: dict[str, Any] = {
            "terms": records,
            "subsets": subset_records,
            "importance": lambda _: self.importance(),
        }
        if not isinstance(what, str) or what not in tables:
            raise ParameterError(must_be("what", "'terms', 'subsets' or 'importance'", what))
        rows = tables[what](model)
        return frame_of({name: [row[name] for row in rows] for name in rows[0]}, backend)

    def importance(self) -> RowTable:
        """Features from the most to the least important, ranked as by earth's evimp.

        Returns
        -------
        RowTable
            Print it, or use ``to_frame()``. The columns are feature; n_subsets, the number of best subsets (from two
            terms to the selected size) that contain the feature; and gcv and rss, the decrease in GCV and RSS in these
            subsets, as signed square roots scaled to 100. The rows are sorted by n_subsets, then by gcv.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> model = MARSRegressor().fit({"x": [0.0, 1, 2, 3, 4, 5, 6, 7]}, [0, 1, 2, 3, 4, 5, 6, 7])
        >>> print(model.importance())
        feature  n_subsets  gcv  rss
        x                1  100  100
        """
        model = self._fitted()
        found = model.importance()
        rows = [
            {
                "feature": model.schema.names[i],
                "n_subsets": int(found.n_subsets[i]),
                "gcv": float(found.gcv[i]),
                "rss": float(found.rss[i]),
            }
            for i in found.order
        ]
        without_columns = model.schema.names[len(found.order) :]
        rows += [{"feature": name, "n_subsets": 0, "gcv": 0.0, "rss": 0.0} for name in without_columns]
        return RowTable(rows)

    def anova(self, X: TableLike, y: ColumnLike | None = None, sample_weight: ColumnLike | None = None) -> Anova:
        """The ANOVA decomposition: terms grouped by their features, with the contribution of each group.

        Parameters
        ----------
        X : table of shape (n, p)
            Rows for which the contributions are computed, usually the training data.
        y : column of n values, optional
            If given, the GCV of the model without each part is also computed.
        sample_weight : column of n numbers, optional
            Weights of the rows, as in ``fit``.

        Returns
        -------
        Anova
            Print it, iterate over its parts, or use ``to_frame()``.

        Raises
        ------
        NotFittedError, DataError, DataTypeError
            As for ``predict``; or X, y and the weights differ in length.

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> X = {"x": [0.0, 1, 2, 3, 4, 5, 6, 7], "z": [1.0, 0, 0, 1, 1, 0, 0, 1]}
        >>> model = MARSRegressor(thresh=0.0, penalty=0).fit(X, [1, 1, 2, 4, 5, 5, 6, 8])
        >>> print(model.anova(X))
        function of  terms  spread   share
        x                1   2.291  95.5 %
        z                1   0.500   4.5 %
        """
        check_aligned(X=X, y=y, sample_weight=sample_weight)
        model, columns = self._fitted(), self._read(X)
        weight = relative_weights(sample_weight, columns.n)
        return decomposition(model, model.basis(columns), self._numbers(y, columns.n), weight)

    def _numbers(self, y: ColumnLike, n: int) -> np.ndarray | None:
        """The responses that least squares was fitted to, float64, shape (n, K), or None."""
        if y is None:
            return None
        labels = self.model_.labels
        numbers = indicators(known_classes(y, labels), len(labels)) if labels else responses(flat(y))
        if len(numbers) != n:
            raise DataError(f"X has {n} rows and y {len(numbers)}; give every row of X one value.")
        return numbers

    def plot_effects(self, features: Any = None, response: int = 0) -> Figure:
        """Plot main effects as lines or bars, and pairs of features as surfaces or lines. Requires matplotlib.

        Parameters
        ----------
        features : list of groups of one or two names, optional
            Such as ``[["age"], ["age", "size"]]``. Default: every part with one or two features (see ``anova``).
        response : int
            Number of the response or class, counted from 0; two classes share one response.

        Returns
        -------
        matplotlib.figure.Figure
            A main effect is the sum of the terms with this feature only; dotted lines mark knots. The effect of a pair
            is the sum of the terms with both features and of their main effects. The unit is that of y, or log odds.

        Raises
        ------
        NotFittedError
            The estimator is not fitted.
        NotAvailableError
            matplotlib is not installed.
        ParameterError
            The model has no such response, feature or part.

        Examples
        --------
        >>> from boxwood import MARSRegressor
        >>> model = MARSRegressor().fit({"x": [0.0, 1, 2, 3, 4, 5, 6, 7]}, [0, 1, 2, 3, 4, 5, 6, 7])
        >>> model.plot_effects().savefig("effects.png")  # doctest: +SKIP
        """
        return plot_effects(self._fitted(), features, response)
