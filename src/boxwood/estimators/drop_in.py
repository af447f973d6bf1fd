"""scikit-learn's decision trees, fitted by CART: change ``sklearn.tree`` to ``boxwood.sklearn`` in one import.

The classes are those of scikit-learn, with its parameters, defaults, methods and attributes; only ``fit`` is another.
"""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn import tree

from .cart_classifier import CARTClassifier
from .cart_regressor import CARTRegressor
from .grown_by_cart import GrownByCART
from .registering import register

__all__ = ["DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor"]


class DecisionTreeClassifier(tree.DecisionTreeClassifier, GrownByCART):
    """scikit-learn's DecisionTreeClassifier, grown by :class:`boxwood.CARTClassifier`.

    Parameters, methods and attributes are those of :class:`sklearn.tree.DecisionTreeClassifier`, and so are the trees
    but for ties and random draws.

    Parameters
    ----------
    criterion, splitter, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features : Any
        As there.
    random_state, max_leaf_nodes, min_impurity_decrease, class_weight, ccp_alpha, monotonic_cst : Any
        As there.

    Attributes
    ----------
    cart_ : CARTClassifier
        The fitted estimator of this library, which shows, explains, saves and exports the tree.

    Examples
    --------
    >>> from boxwood.sklearn import DecisionTreeClassifier
    >>> model = DecisionTreeClassifier(random_state=0).fit([[1], [2], [3]], ["a", "a", "b"])
    >>> model.predict([[2.4]]).tolist(), model.tree_.threshold.tolist()
    (['a'], [2.5, -2.0, -2.0])
    """

    _grower: ClassVar[Any] = CARTClassifier


class DecisionTreeRegressor(tree.DecisionTreeRegressor, GrownByCART):
    """scikit-learn's DecisionTreeRegressor, grown by :class:`boxwood.CARTRegressor`.

    Parameters, methods and attributes are those of :class:`sklearn.tree.DecisionTreeRegressor`, and so are the trees
    but for ties and random draws.

    Parameters
    ----------
    criterion, splitter, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features : Any
        As there.
    random_state, max_leaf_nodes, min_impurity_decrease, ccp_alpha, monotonic_cst : Any
        As there.

    Attributes
    ----------
    cart_ : CARTRegressor
        The fitted estimator of this library, which shows, explains, saves and exports the tree.

    Examples
    --------
    >>> from boxwood.sklearn import DecisionTreeRegressor
    >>> model = DecisionTreeRegressor(max_depth=1).fit([[1], [2], [3]], [3.0, 1.0, 2.0])
    >>> model.predict([[0], [4]]).tolist(), model.get_depth()
    ([3.0, 1.5], 1)
    """

    _grower: ClassVar[Any] = CARTRegressor


class ExtraTreeClassifier(tree.ExtraTreeClassifier, GrownByCART):
    """scikit-learn's ExtraTreeClassifier, grown by :class:`boxwood.CARTClassifier` with random splits.

    Parameters
    ----------
    criterion, splitter, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features : Any
        As there.
    random_state, max_leaf_nodes, min_impurity_decrease, class_weight, ccp_alpha, monotonic_cst : Any
        As there.

    Attributes
    ----------
    cart_ : CARTClassifier
        As of :class:`boxwood.sklearn.DecisionTreeClassifier`.

    Examples
    --------
    >>> from boxwood.sklearn import ExtraTreeClassifier
    >>> ExtraTreeClassifier(max_depth=3)
    ExtraTreeClassifier(max_depth=3)
    """

    _grower: ClassVar[Any] = CARTClassifier


class ExtraTreeRegressor(tree.ExtraTreeRegressor, GrownByCART):
    """scikit-learn's ExtraTreeRegressor, grown by :class:`boxwood.CARTRegressor` with random splits.

    Parameters
    ----------
    criterion, splitter, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features : Any
        As there.
    random_state, max_leaf_nodes, min_impurity_decrease, ccp_alpha, monotonic_cst : Any
        As there.

    Attributes
    ----------
    cart_ : CARTRegressor
        As of :class:`boxwood.sklearn.DecisionTreeRegressor`.

    Examples
    --------
    >>> from boxwood.sklearn import ExtraTreeRegressor
    >>> ExtraTreeRegressor(max_depth=3)
    ExtraTreeRegressor(max_depth=3)
    """

    _grower: ClassVar[Any] = CARTRegressor


register((DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor))
