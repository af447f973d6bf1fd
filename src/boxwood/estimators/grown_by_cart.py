"""The fit of scikit-learn's decision trees by CART, and its tree as arrays of scikit-learn when they are read."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import is_classifier
from sklearn.tree import BaseDecisionTree
from sklearn.utils import check_random_state, compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_consistent_length, check_is_fitted, validate_data

from ..exports.plan import ExportPlan
from ..exports.sklearn_bridge import arrays_of
from ..exports.sklearn_nodes import numbered
from .drop_in_missing import with_their_rules
from .drop_in_settings import most_features, settings_of

_NEGATIVE = "Some value(s) of y are negative which is not allowed for Poisson regression."
_ALL_ZERO = "Sum of y is not positive which is necessary for Poisson regression."


class GrownByCART(BaseDecisionTree):
    """A decision tree of scikit-learn that CART grows; the class of scikit-learn comes before it in the bases."""

    _grower: ClassVar[Any]

    def _fit(
        self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True,
        missing_values_in_feature_mask: Any = None,
    ) -> Self:  # fmt: skip
        """Check the data as scikit-learn does, fit CART and take over what it found; called by ``fit``."""
        draw = check_random_state(self.random_state)
        if check_input:
            X, y = self._checked(X, y)
        self.n_features_in_ = X.shape[1]
        y = self._outputs(np.atleast_1d(y))
        self.max_features_ = most_features(self.max_features, self.n_features_in_)
        check_consistent_length(X, y)
        weight = None if sample_weight is None else _check_sample_weight(sample_weight, X, dtype=np.float64)
        if is_classifier(self) and self.class_weight is not None:
            expanded = compute_sample_weight(self.class_weight, y)
            weight = expanded if weight is None else weight * expanded
        total = X.shape[0] if weight is None else weight.sum()
        grower = self._grower(**settings_of(self, X, total, draw)).fit(X, y, weight)
        grower.model_ = with_their_rules(grower.model_, X, weight)
        self.cart_ = grower
        self.__dict__.pop("tree_", None)
        return self

    def _checked(self, X: Any, y: Any) -> tuple[Any, Any]:
        """The data in single precision, which scikit-learn fits; text is refused."""
        of_X = {"dtype": np.float32, "accept_sparse": "csc", "ensure_all_finite": False}
        X, y = validate_data(self, X, y, validate_separately=(of_X, {"ensure_2d": False, "dtype": None}))
        self._compute_missing_values_in_feature_mask(X)
        if not isinstance(X, np.ndarray):
            X.sort_indices()
            if X.indices.dtype != np.intc or X.indptr.dtype != np.intc:
                raise ValueError("No support for np.int64 index based sparse matrices")
        if self.criterion == "poisson":
            if (y < 0).any():
                raise ValueError(_NEGATIVE)
            if y.sum() <= 0:
                raise ValueError(_ALL_ZERO)
        return X, y

    def _outputs(self, y: np.ndarray) -> np.ndarray:
        """y as one column; scikit-learn's attributes of the response are set."""
        self.n_outputs_ = 1 if y.ndim == 1 else y.shape[1]
        y = y.ravel() if self.n_outputs_ == 1 else y
        if is_classifier(self):
            check_classification_targets(y)
            self.classes_ = np.unique(y)
            self.n_classes_ = np.intp(len(self.classes_))
        return y

    @cached_property
    def tree_(self) -> Any:
        """The tree as the arrays of scikit-learn, made when first read."""
        check_is_fitted(self)
        plan = ExportPlan(self.cart_.model_.tree)
        laid = numbered(plan, "codes")
        return arrays_of(plan, laid.in_order(laid.depth_first()))
