"""The parameters of scikit-learn's decision trees as settings of CART."""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from .._messages import Setting
from ..data.columns.distinct import distinct
from ..errors import ParameterError

#: scikit-learn's criteria -> the measure of CART, and how many times larger that is.
_MEASURES = {
    "gini": ("gini", 1.0),
    "entropy": ("entropy", 1.0),
    "log_loss": ("entropy", 1.0),
    "squared_error": ("variance", 1.0),
    "absolute_error": ("absolute_error", 1.0),
    "friedman_mse": ("variance", 1.0),
    "poisson": ("poisson", 2.0),
}
#: scikit-learn prunes the links of an alpha that is given as the path reported it; ours may differ by rounding.
_ROUNDING = 1 + 1e-12
#: scikit-learn draws the seed of a fit below this.
_LARGEST = 2**31 - 1
#: What CART does beyond scikit-learn.
_NEVER = {
    "pruning": None, "max_surrogates": 0, "missing": "learned", "identifiers": "use", "min_samples_level": 1,
    "level_correction": False, "cuts": "exact",
}  # fmt: skip


def settings_of(model: Any, n: int, total: float | None, draw: np.random.RandomState) -> dict[str, Any]:
    """The settings with which CART grows the tree that scikit-learn would.

    Parameters
    ----------
    model : one of scikit-learn's decision trees
    n : int
        Number of rows.
    total : float or None
        The weight of all rows; None where each weighs 1.
    draw : RandomState
        That of the model.
    """
    measure, larger = _MEASURES[model.criterion]
    leaf = _rows(model.min_samples_leaf, n)
    decrease = model.min_impurity_decrease
    if model.criterion == "friedman_mse":  # its improvement is that of a node, not a share of all rows
        decrease = decrease / (total or n)
    share = model.min_weight_fraction_leaf
    if total is None:  # a number of rows, without the tolerance of weights
        leaf, share = max(leaf, math.ceil(share * n)), 0.0
    return {
        **_NEVER,
        **({"smoothing": None} if is_classifier(model) else {"positive_rates": model.criterion == "poisson"}),
        "criterion": measure,
        "response_weights": "equal" if model.n_outputs_ > 1 else None,
        "max_depth": model.max_depth,
        "min_samples_leaf": leaf,
        "min_samples_split": max(2, _rows(model.min_samples_split, n), 2 * leaf),
        "min_weight_fraction_leaf": share,
        "max_leaf_nodes": None if model.max_leaf_nodes is None else max(2, min(model.max_leaf_nodes, n)),
        "min_impurity_decrease": larger * decrease,
        "splitter": model.splitter,
        "max_features": None if model.max_features_ >= model.n_features_in_ else model.max_features_,
        "random_state": draw.randint(_LARGEST),  # one draw in each fit, as there
        "ccp_alpha": larger * model.ccp_alpha * _ROUNDING,
        "monotonic_cst": _order(model, model.n_features_in_),
    }


def _rows(count: Any, n: int) -> int:
    """A number of rows from a number or a share."""
    return int(count) if isinstance(count, Integral) else math.ceil(count * n)


def most_features(given: Any, p: int) -> int:
    """How many of p features are tried at a node."""
    if isinstance(given, str):
        return max(1, int({"sqrt": np.sqrt, "log2": np.log2}[given](p)))
    if given is None:
        return p
    return int(given) if isinstance(given, Integral) else max(1, int(given * p))


def _order(model: Any, p: int) -> list[int] | None:
    """The order of predictions, checked as scikit-learn does."""
    if model.monotonic_cst is None:
        return None
    if model.n_outputs_ > 1:
        raise ParameterError("Monotonicity constraints are not supported with multiple outputs.")
    signs = np.asarray(model.monotonic_cst)
    if signs.shape[0] != p:
        raise ParameterError(
            Setting("monotonic_cst"), f" has shape {signs.shape[0]} but the input data X has {p} features.",
        )  # fmt: skip
    if not np.isin(signs, (-1, 0, 1)).all():
        raise ParameterError(
            Setting("monotonic_cst"), f" must be None or an array-like of -1, 0 or 1, but got {distinct(signs)}",
        )  # fmt: skip
    if is_classifier(model) and model.n_classes_ > 2:
        raise ParameterError("Monotonicity constraints are not supported with multiclass classification")
    found: list[int] = signs.astype(int).tolist()
    return found
