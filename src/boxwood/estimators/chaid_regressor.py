"""CHAID for numbers, as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from .._typing import ColumnLike, TableLike
from .declared import declared
from .streaming import Streaming
from .tasks import NumberEstimator


@declared
class CHAIDRegressor(NumberEstimator, Streaming):
    """A CHAID regression tree: merged categories, F tests of means, multiway splits.

    Categories of a feature that do not differ significantly in y are merged. The node is split on the feature whose
    merged table is the most significant, with one branch for each group. p-values are adjusted for the number of ways
    to merge the categories (Bonferroni) and do not underflow. The same data give the same tree, regardless of the order
    of the rows and the number of threads. For the formulas and a worked example, see docs/chaid.md.

    Attributes
    ----------
    tree_ : Tree
        The selected tree: print it, or call ``tree_.to_frame()``; ``tree_.log_p`` is the natural logarithm of the
        adjusted p-value of each split.
    n_outputs_ : int
        Number of responses: 1, or the columns of y.
    n_features_in_ : int
        Number of columns p of X.
    feature_names_in_ : object array of shape (p,)
        Column names of X, if it had names.
    feature_importances_ : float64 array of shape (p,)
        Normalised decrease in variance by each feature.
    cost_complexity_path_ : PruningPath
        Alphas, impurities and sizes of the nested sequence of weakest-link pruning.
    edits_ : list of dict
        The log of edits by hand (docs/edit.md).
    pruning_path_ : PruningSequence
        The trees from which the pruner selected.
    model_ : TreeModel
        The complete model (full tree, pruning, settings), as written by ``save``.

    Raises
    ------
    ParameterError, ParameterTypeError
        By ``fit``, if a parameter is out of range or has the wrong type, or if two of them exclude each other.

    References
    ----------
    Kass: An exploratory technique for investigating large quantities of categorical data. Applied Statistics 29, 1980.
    Biggs, de Ville, Suen: A method of choosing multiway partitions. Journal of Applied Statistics 18, 1991.

    Examples
    --------
    >>> from boxwood import CHAIDRegressor
    >>> X = {"city": ["Ulm", "Ulm", "Bonn", "Bonn", "京都", "京都"] * 10}
    >>> rent = [400, 420, 410, 400, 900, 950] * 10
    >>> model = CHAIDRegressor(min_samples_split=20, min_samples_leaf=10).fit(X, rent)
    >>> print(model.tree_)
    Decision tree (chaid) for y: 3 nodes, 2 leaves, depth 1
    all rows (60 rows, 580; p 5.34e-70, F 13,580.56, df 1 and 58; missing: stays)
    ├─ city in {Bonn, Ulm} → 407.5 (40 rows)
    └─ city = 京都 → 925 (20 rows)
    >>> model.predict({"city": ["京都", None]}).tolist()
    [925.0, 580.0]
    """

    _algorithm: ClassVar[str] = "chaid"

    def fit(  # type: ignore[override]  # CHAID takes no exposure
        self, X: TableLike, y: ColumnLike, sample_weight: ColumnLike | None = None
    ) -> Self:
        """Grow a tree and prune it as set by ``pruning``.

        Parameters
        ----------
        X : table of shape (n, p)
            A numpy array, a pandas, polars or pyarrow data frame, a list of rows, or a dictionary of columns; it is not
            modified. Strings, categories and booleans are nominal features. Missing values need no preparation.
        y : column of n finite numbers
        sample_weight : column of n numbers, optional
            Weights of at least 0; their meaning is set by ``weights``. Rows of weight 0 are omitted.

        Returns
        -------
        self

        Raises
        ------
        ParameterError, ParameterTypeError
            A parameter is out of range; the message gives the allowed values.
        DataError, DataTypeError
            The data cannot be used; the message names the column, row and value. A previously fitted model is kept.

        Examples
        --------
        >>> from boxwood import CHAIDRegressor
        >>> X = {"grade": ["a", "b", "c"] * 4}
        >>> model = CHAIDRegressor(min_samples_split=4, min_samples_leaf=2).fit(X, [1, 2, 9, 2, 1, 8] * 2)
        >>> model.predict({"grade": ["a", "c"]}).tolist()
        [1.5, 8.5]
        """
        return self._fit(X, y, sample_weight)

    def __sklearn_tags__(self) -> Any:
        """The default limits are made for surveys: they leave a few hundred rows with hardly a split."""
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = self.min_samples_split == 100 or self.min_samples_leaf == 50
        return tags
