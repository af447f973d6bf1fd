"""Trees of scikit-learn, read through their public attributes; scikit-learn itself is not imported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._messages import Setting, Value, must_be, remedy
from ...errors import DataTypeError, ParameterError
from ...statistics.responses.classes import EQUAL, Classes
from ...statistics.responses.means import Means
from ...statistics.shares import first_largest
from ..readable import ReadableTree
from .foreign import OF_LEAVES, Foreign, ForeignNode, Test, assembled, leaf_moments
from .naming import names_of, plain_label, schema_of
from .single import shortest, upto

#: Criteria whose impurity is one of ours.
_MEASURES = {"gini": "gini", "entropy": "entropy", "log_loss": "entropy"}
#: Criteria under which a node's value is the mean of its rows and its impurity their variance.
_SQUARED = ("squared_error", "friedman_mse")
#: Fields of a node whose meaning is known; any other may change what its threshold means.
_NODE = frozenset((
    "left_child", "right_child", "feature", "threshold", "impurity", "n_node_samples", "weighted_n_node_samples",
    "missing_go_to_left",
))  # fmt: skip
#: In the development version: a threshold or, in the same bytes, a set of categories.
_SPLIT = "split_value"


def from_sklearn(
    model: Any, feature_names: Sequence[str] | None = None, target_name: str = "y", as_written: bool = False
) -> ReadableTree:
    """Convert a fitted decision tree of scikit-learn to a Tree.

    scikit-learn rounds X to single precision before comparing. The thresholds are adjusted accordingly, so predictions
    are equal for all doubles. Missing values are routed as in scikit-learn. For trees grown by absolute error or
    Poisson deviance, or with monotonic constraints, only the predictions of the leaves are available; there are no
    intervals.

    Parameters
    ----------
    model : DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier or ExtraTreeRegressor
        A fitted tree with a single target. For a forest, pass one of its ``estimators_``.
    feature_names : sequence of str, optional
        Default: the feature names of the model, or x0, x1 ...
    target_name : str
    as_written : bool
        Write the thresholds in as few digits as single-precision data need. They are easier to read, but predictions
        are then equal only for such data.

    Returns
    -------
    ReadableTree

    Raises
    ------
    DataTypeError
        The model is not a fitted tree of scikit-learn, or it splits on sets of categories, which are not supported.
    ParameterError
        The model has several targets, or the names do not match.

    Examples
    --------
    >>> import boxwood
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> theirs = DecisionTreeClassifier(max_depth=1).fit([[1.0], [2.0], [3.0]], ["no", "no", "yes"])
    >>> print(boxwood.from_sklearn(theirs, ["age"], as_written=True))
    Decision tree (scikit-learn) for y: 3 nodes, 2 leaves, depth 1
    all rows (3 rows, no 0.667)
    ├─ age <= 2.5 or missing → no 1.000 [0.342 to 1.000] (2 rows)
    └─ age > 2.5 → yes 1.000 [0.207 to 1.000] (1 row)
    [ ] 95 % interval: both leaves hold fewer than 7 rows
    """
    tree = getattr(model, "tree_", None)
    if tree is None or not hasattr(tree, "children_left"):
        hint = "; of a forest give one of its estimators_" if hasattr(model, "estimators_") else ""
        raise DataTypeError(
            must_be("model", f"a fitted decision tree of scikit-learn{hint}", Value(model, type(model).__name__))
        )
    if tree.n_outputs != 1:
        raise ParameterError(
            Setting("model"), f" has {tree.n_outputs} responses; a Tree has one. ",
            remedy("Fit one tree for each response"), ".",
        )  # fmt: skip
    _refuse_categories(model, tree)
    found = getattr(model, "feature_names_in_", None)
    names, named = names_of(feature_names, None if found is None else list(found), tree.n_features)
    labels = tuple(map(plain_label, model.classes_)) if hasattr(model, "classes_") else ()
    children = [(left, right) if left >= 0 else () for left, right in zip(
        tree.children_left.tolist(), tree.children_right.tolist(), strict=True)]  # fmt: skip
    with np.errstate(all="ignore"):  # moments that are not finite are refused by name
        moments, measure, note = _moments(model, tree, children, bool(labels))
    goes_left = getattr(tree, "missing_go_to_left", None)
    heavier = tree.weighted_n_node_samples
    nodes = []
    for t, below in enumerate(children):
        if not below:
            nodes.append(ForeignNode(moments=moments[t], rows=int(tree.n_node_samples[t])))
            continue
        left = bool(goes_left[t]) if goes_left is not None else heavier[below[0]] >= heavier[below[1]]
        cut = float(tree.threshold[t])
        test = Test(int(tree.feature[t]), (shortest(cut) if as_written else upto(cut),), (0, 1))
        nodes.append(ForeignNode(below, test, 0 if left else 1, moments[t], int(tree.n_node_samples[t])))
    response = Classes(target_name, labels, (1.0,) * len(labels)) if labels else Means(target_name)
    made_by = {"algorithm": "scikit-learn", "model": type(model).__name__, **note}
    return assembled(Foreign(nodes, schema_of(names, named, {}, "scikit-learn"), response, measure, made_by))


def _refuse_categories(model: Any, tree: Any) -> None:
    """Refuse a tree that may split by sets of categories: the bits of a set would be read as a threshold."""
    nodes, threshold = np.asarray(tree.__getstate__()["nodes"]), np.asarray(tree.threshold)
    known = _NODE | {_SPLIT} if _is_numeric(model, tree) else _NODE
    unknown = [name for name in nodes.dtype.names if name not in known and nodes[name].tobytes().strip(b"\0")]
    native = np.any(getattr(model, "is_categorical_", False))
    given = getattr(model, "categorical_features", None)
    if unknown or native or not (given is None or (isinstance(given, str) and given == "from_dtype")):
        raise DataTypeError(
            "this tree of scikit-learn may split features by sets of categories, which are not read yet "
            f"({', '.join(unknown) or 'categorical_features'}); fit it on indicator columns, or fit boxwood's own tree."
        )
    if not ((nodes["feature"] < tree.n_features) & ((nodes["feature"] >= 0) | (nodes["left_child"] < 0))).all():
        raise DataTypeError("this tree of scikit-learn tests a feature that it does not have; it is damaged.")
    if threshold.dtype.kind != "f" or np.isnan(threshold).any():
        raise DataTypeError("this tree of scikit-learn has thresholds that are not numbers; such trees are not read.")


def _is_numeric(model: Any, tree: Any) -> bool:
    """Whether a tree that could have sets of categories in the place of thresholds has none."""
    if getattr(model, "categorical_features", "") is None:
        return True
    categories = getattr(tree, "n_categories", None)
    return categories is not None and bool((np.asarray(categories) <= 0).all())


def _moments(model: Any, tree: Any, children: list[Any], classes: bool) -> tuple[np.ndarray, str, dict[str, Any]]:
    """Moments of the nodes, the measure of impurity, and what ``made_by`` must state about them."""
    weight, value = np.asarray(tree.weighted_n_node_samples, dtype=np.float64), np.asarray(tree.value)[:, 0, :]
    if classes:
        return _counts(value, weight), _MEASURES.get(model.criterion, "gini"), {}
    if model.criterion in _SQUARED and getattr(model, "monotonic_cst", None) is None:
        squares = np.maximum(tree.impurity, 0.0) * weight
        return np.column_stack([weight, value[:, 0], squares]), "variance", {}
    return leaf_moments(children, value[:, 0], weight), "variance", OF_LEAVES


def _counts(value: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Weights of the classes in each node; scikit-learn predicts the first of those with most, even by a rounding."""
    share = value / value.sum(axis=1, keepdims=True)  # shares since scikit-learn 1.3, weights before
    theirs = value.argmax(axis=1)
    # Shares this close are equal here, and the first class would be predicted.
    tied = np.flatnonzero(first_largest(share, 2.0 * EQUAL) != theirs)
    share[tied, theirs[tied]] += 4.0 * EQUAL
    return share * weight[:, None]
