"""The fit of scikit-learn's decision trees by CART, and its tree as the arrays of scikit-learn."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import is_classifier
from sklearn.tree import BaseDecisionTree
from sklearn.utils import check_array, check_consistent_length, check_random_state, compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from ..data.columns.distinct import distinct
from ..data.columns.schema import Schema
from ..errors import ResponseError
from ..exports.bridges import to_codes
from ..exports.plan import ExportPlan
from ..exports.sklearn_bridge import arrays_of
from ..exports.sklearn_nodes import NumberedNodes, numbered
from .drop_in_missing import with_their_rules
from .drop_in_settings import most_features, settings_of
from .drop_in_tables import schema_beyond

_NEGATIVE = "Some value(s) of y are negative which is not allowed for Poisson regression."
_ALL_ZERO = "Sum of y is not positive which is necessary for Poisson regression."
_OF_Y = {"ensure_2d": False, "dtype": None}


class GrownByCART(BaseDecisionTree):
    """A decision tree of scikit-learn that CART grows; the class of scikit-learn comes before it in the bases."""

    _grower: ClassVar[Any]

    classes_: Any
    n_classes_: Any

    def _fit(
        self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True,
        missing_values_in_feature_mask: Any = None,
    ) -> Self:  # fmt: skip
        """Check the data as scikit-learn does, fit CART, and set scikit-learn's attributes; called by ``fit``."""
        draw = check_random_state(self.random_state)
        beyond = schema_beyond(X) if check_input else None
        if beyond is not None:
            y = self._checked_table(beyond, y)
        else:
            X, y = self._checked(X, y) if check_input else (X, y)
            check_consistent_length(X, y)
            self.n_features_in_ = X.shape[1]
        y = self._outputs(np.atleast_1d(y))
        n = len(y)
        weight = None if sample_weight is None else _check_sample_weight(sample_weight, y, dtype=np.float64)
        if is_classifier(self) and self.class_weight is not None:
            expanded = compute_sample_weight(self.class_weight, y)
            weight = expanded if weight is None else weight * expanded
        self.max_features_ = most_features(self.max_features, self.n_features_in_)
        grower = self._grower(**settings_of(self, n, None if weight is None else weight.sum(), draw))
        grower.fit(X if beyond is not None else self._named(X), y, weight)
        if beyond is None:
            grower.model_ = with_their_rules(grower.model_, X, weight)
        self.cart_ = grower
        laid, plan = self._laid(), self._plan()
        order = laid.depth_first() if self.max_leaf_nodes is None else laid.best_first(plan.tree)
        self.tree_ = arrays_of(plan, laid.in_order(order))
        return self

    def _checked(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Numbers in single precision, which scikit-learn fits, and y."""
        of_X = {"dtype": np.float32, "accept_sparse": "csc", "ensure_all_finite": False}
        X, y = validate_data(self, X, y, validate_separately=(of_X, _OF_Y))
        self._compute_missing_values_in_feature_mask(X)
        if not isinstance(X, np.ndarray):
            X.sort_indices()
            if X.indices.dtype != np.intc or X.indptr.dtype != np.intc:
                raise ValueError("No support for np.int64 index based sparse matrices")
        return X, self._checked_y(y)

    def _checked_table(self, schema: Schema, y: Any) -> Any:
        """y; scikit-learn's attributes of a table with text are set."""
        self.n_features_in_ = len(schema)
        self.__dict__.pop("feature_names_in_", None)
        if schema.named:
            self.feature_names_in_ = np.array(schema.names, dtype=object)
        return self._checked_y(check_array(y, input_name="y", **_OF_Y))

    def _checked_y(self, y: np.ndarray) -> np.ndarray:
        """y, of which Poisson deviance requires positive sums."""
        if self.criterion == "poisson":
            if (y < 0).any():
                raise ResponseError(_NEGATIVE)
            if y.sum() <= 0:
                raise ResponseError(_ALL_ZERO)
        return y

    def _outputs(self, y: np.ndarray) -> np.ndarray:
        """y, of one dimension if it is one column; scikit-learn's attributes of the response are set."""
        self.n_outputs_ = 1 if y.ndim == 1 else y.shape[1]
        y = y.ravel() if self.n_outputs_ == 1 else y
        if not is_classifier(self):
            return np.ascontiguousarray(y, dtype=np.float64)
        check_classification_targets(y)
        classes = [distinct(column) for column in y.reshape(len(y), -1).T]
        n_classes = np.array([len(each) for each in classes], dtype=np.intp)
        one = self.n_outputs_ == 1
        self.classes_, self.n_classes_ = (classes[0], n_classes[0]) if one else (classes, n_classes)
        return y

    def _named(self, X: Any) -> Any:
        """The columns of X by name, if it had names; random cuts need dense ones."""
        if not isinstance(X, np.ndarray):
            return X.toarray() if self.splitter == "random" else X
        names = getattr(self, "feature_names_in_", None)
        if names is None or len(set(names)) < X.shape[1]:
            return X
        return dict(zip(names.tolist(), X.T, strict=True))

    @property
    def feature_importances_(self) -> np.ndarray:
        """scikit-learn's importance of each column of X: of text, the sum over the sets of levels that are tested."""
        places = [column.feature for column in self._laid().columns]
        of_columns = self.tree_.compute_feature_importances()
        return np.bincount(places, of_columns, minlength=self.n_features_in_)

    def __sklearn_tags__(self) -> Any:
        """Text and categories are welcome, beyond scikit-learn."""
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.string = True
        return tags

    def _plan(self) -> ExportPlan:
        """How the tree routes rows."""
        check_is_fitted(self)
        return ExportPlan(self.cart_.model_.tree)

    def _laid(self) -> NumberedNodes:
        """The nodes as scikit-learn has them, in level order."""
        plan = self._plan()
        return numbered(plan, "codes" if plan.tree.schema.is_numeric else "indicators")

    def _validate_X_predict(self, X: Any, check_input: bool) -> Any:  # noqa: N802
        """The matrix that ``tree_`` takes: X itself, or numbers and a column of 0 and 1 for each set of levels."""
        plan = self._plan()
        if plan.tree.schema.is_numeric:
            return super()._validate_X_predict(X, check_input)
        _, columns = self.cart_._read(X)
        return to_codes(plan, columns, "indicators").astype(np.float32)
