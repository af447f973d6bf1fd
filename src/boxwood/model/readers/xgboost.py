"""Trees of XGBoost, from a booster or its JSON; XGBoost itself is not imported."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..._messages import Column, Setting, remedy
from ...errors import ModelFileError, ParameterError
from ...statistics.responses.means import Means
from ..readable import ReadableTree
from .foreign import OF_LEAVES, Foreign, ForeignNode, Test, assembled, leaf_moments, rows_below
from .intervals import code_test, with_band
from .naming import given_levels, names_of, schema_of
from .single import below, upto
from .sources import chosen, flag, json_of, reading, text_of

_WHAT = "an XGBoost model"


def from_xgboost(model: Any, tree_index: int = 0, feature_names: Sequence[str] | None = None,
                 categories: dict[str, Any] | None = None, target_name: str = "y") -> ReadableTree:  # fmt: skip
    """Convert one tree of an XGBoost model to a Tree that predicts the contribution of the tree to the margin.

    XGBoost rounds X to single precision and tests ``x < cut``. The thresholds are adjusted accordingly, so predictions
    are equal for all doubles and for missing values. (XGBoost sums its trees in single precision; the values of the
    leaves are exact.) There are no intervals, because the model does not contain the spread within nodes. The weight of
    a node is its sum of Hessians; for squared error, this is the number of rows.

    Parameters
    ----------
    model : Booster, XGBoost's scikit-learn estimator, dict, str, bytes or path
        The fitted model, or the model saved as JSON (``save_model("model.json")``) as a file, text or dictionary. Only
        an estimator contains the number that it takes for missing (``missing=``).
    tree_index : int
        Number of the tree; a model with K classes has K trees in each iteration.
    feature_names : sequence of str, optional
        Default: those of the model, or x0, x1 ...
    categories : dict of str to sequence, optional
        Names of the levels of a categorical feature, in the order of their codes. Default: those of the model;
        without names, the feature is numeric and holds the codes.
    target_name : str

    Returns
    -------
    ReadableTree

    Raises
    ------
    ModelFileError
        The JSON is not an XGBoost model, the model has vector leaves, linear terms or dropout (dart), the names of its
        levels may be damaged, ``missing=`` may be the code of a level, or there is no such tree.
    DataTypeError, FileError, ParameterError
        The argument is not a model, the file cannot be read, or the names do not match the model.

    Examples
    --------
    >>> import boxwood
    >>> tree = {"left_children": [1, -1, -1], "right_children": [2, -1, -1], "split_indices": [0, 0, 0],
    ...         "split_conditions": [41.5, -1.0, 2.0], "default_left": [0, 0, 0], "sum_hessian": [40.0, 30.0, 10.0]}
    >>> learner = {"learner_model_param": {"num_feature": "1"}, "feature_names": ["age"],
    ...            "gradient_booster": {"name": "gbtree", "model": {"trees": [tree]}}}
    >>> found = boxwood.from_xgboost({"learner": learner})
    >>> found.predict({"age": [41.0, 41.5, None]}).tolist()
    [-1.0, 2.0, 2.0]
    """
    gap, saved = _missing_code(model), _saved(model)
    with reading(_WHAT):
        learner = saved["learner"]
        width = int(learner["learner_model_param"]["num_feature"])
        names, named = names_of(feature_names, learner.get("feature_names") or None, width)
        trees = _trees(learner["gradient_booster"])
        levels = _levels(learner, names, categories)
        tree = chosen(trees, tree_index)
        nodes = _nodes(tree, levels, gap)
        made_by = {"algorithm": "xgboost", "tree_index": tree_index, **OF_LEAVES}
        coded = {tree["split_indices"][t] for t in _sets(tree)} - set(levels)
        schema = schema_of(names, named, levels, "XGBoost", coded=coded)
        return assembled(Foreign(nodes, schema, Means(target_name), "variance", made_by))


def _missing_code(model: Any) -> float:
    """The number that an estimator of XGBoost takes for missing, beside NaN."""
    return float(getattr(model, "missing", math.nan)) if hasattr(model, "get_booster") else math.nan


def _saved(model: Any) -> dict[str, Any]:
    """The saved model as a dictionary."""
    if hasattr(model, "get_booster"):
        model = model.get_booster()
    if hasattr(model, "save_raw"):
        model = bytes(model.save_raw("json"))
    return model if isinstance(model, dict) else json_of(text_of(model, _WHAT), _WHAT)


def _trees(booster: dict[str, Any]) -> list[Any]:
    """The trees of a booster.

    Raises
    ------
    ModelFileError
        The booster is not a plain sum of trees.
    """
    if booster.get("name", "gbtree") != "gbtree":
        raise ModelFileError(f"this model is of booster {booster['name']!r}; only trees of 'gbtree' are plain Trees.")
    return booster["model"]["trees"]


def _levels(
    learner: dict[str, Any], names: tuple[str, ...], categories: dict[str, Any] | None
) -> dict[int, tuple[Any, ...]]:
    """Levels of the categorical features: those given, or those of the model; a feature of bare codes has none."""
    found = given_levels(categories, names)
    known = (learner["gradient_booster"]["model"].get("cats") or {}).get("enc") or []
    for j, kind in enumerate(learner.get("feature_types") or []):
        if kind == "c" and j not in found and j < len(known) and (levels := _decoded(known[j], names[j])):
            found[j] = levels
    return found


def _decoded(stored: dict[str, Any], name: str) -> tuple[Any, ...]:
    """Levels as XGBoost 3.1 and later keeps them: numbers, or the bytes of texts between offsets.

    Raises
    ------
    ModelFileError
        The bytes are not texts.
    """
    values, offsets = stored.get("values") or [], stored.get("offsets") or []
    if not offsets:
        return tuple(values)
    text = bytes(value % 256 for value in values)
    if not text.isascii():
        raise ModelFileError(
            "the names of the levels of ", Column(name, "feature"), " may be damaged in this model (some versions of "
            "XGBoost cut names that are not ASCII); ",
            remedy("give them in ", Setting("categories"), ", in order of their codes"), ".",
        )  # fmt: skip
    return tuple(text[a:b].decode("ascii") for a, b in pairwise(offsets))


def _sets(tree: dict[str, Any]) -> dict[int, list[int]]:
    """Codes of the categories that go right, by node."""
    return {
        t: tree["categories"][start : start + size]
        for t, start, size in zip(
            tree.get("categories_nodes", []),
            tree.get("categories_segments", []),
            tree.get("categories_sizes", []),
            strict=True,
        )
    }


def _nodes(tree: dict[str, Any], levels: dict[int, tuple[Any, ...]], gap: float) -> list[ForeignNode]:
    """The nodes of one tree; ``gap`` is a number that counts as missing."""
    if int(tree.get("tree_param", {}).get("size_leaf_vector", "1")) > 1:
        raise ModelFileError(
            "this model has a vector in each leaf (multi_strategy); a Tree of numbers holds one value."
        )
    left, right = tree["left_children"], tree["right_children"]
    children = [(a, b) if a >= 0 else () for a, b in zip(left, right, strict=True)]
    weight = np.asarray(tree["sum_hessian"], dtype=np.float64)
    rows = rows_below(children, weight)
    # Leaves hold numbers of single precision, which JSON writes in as few digits as identify them.
    with np.errstate(over="ignore"):  # an infinite value of a leaf is refused with the tree
        values = np.asarray(tree["split_conditions"], dtype=np.float32).astype(np.float64)
    moments = leaf_moments(children, values, weight)
    kinds, sets = tree.get("split_type") or [0] * len(left), _sets(tree)
    found = []
    for t, down in enumerate(children):
        if not down:
            found.append(ForeignNode(moments=moments[t], rows=int(rows[t])))
            continue
        default = 0 if flag(tree["default_left"][t]) else 1
        test = _test(int(tree["split_indices"][t]), float(tree["split_conditions"][t]), sets.get(t), levels)
        test = test if math.isnan(gap) else _with_gap(test, gap, default, levels, t in sets)
        if bool(kinds[t]) != (t in sets):
            raise ModelFileError(f"this is not {_WHAT}: node {t} has no set of categories.")
        found.append(ForeignNode(down, test, default, moments[t], int(rows[t])))
    return found


def _test(j: int, cut: float, right: list[int] | None, levels: dict[int, tuple[Any, ...]]) -> Test:
    """The test of a node; codes that it does not list go left."""
    if right is None and cut == -math.inf:  # nothing is below
        return Test(j, (), (1,))
    if right is None:
        return Test(j, (below(cut),), (0, 1))
    if j not in levels:
        return code_test(j, set(right), below, 1)
    size = len(levels[j])
    if max(right, default=0) >= size:
        raise ParameterError(
            f"feature {j} has {size} levels and the tree tests for code {max(right)}; ",
            remedy("give all of them in ", Setting("categories")), ".",
        )  # fmt: skip
    return Test(j, (), tuple(1 if code in set(right) else 0 for code in range(size)))


def _with_gap(test: Test, gap: float, default: int, levels: dict[int, tuple[Any, ...]], is_set: bool) -> Test:
    """A test in which a number is missing.

    Raises
    ------
    ModelFileError
        It might be the code of a named level, or is an infinite code.
    """
    if not is_set or (test.feature not in levels and math.isfinite(gap)):
        return with_band(test, below(gap), upto(gap), default)
    if test.feature in levels and not (gap >= 0 and gap.is_integer()):
        return test
    raise ModelFileError(
        f"this estimator takes {gap:g} for missing. XGBoost compares that with the codes of categories, also with the "
        "code that a named level has in the frame at hand, which depends on how that frame orders its levels; such "
        "models are not read. Fit the estimator without missing=."
    )
