"""Trees of LightGBM, from a booster, its text file or its JSON dump; LightGBM itself is not imported."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._messages import Setting, remedy
from ...errors import ModelFileError, ParameterError
from ...statistics.responses.means import Means
from ..readable import ReadableTree
from .foreign import OF_LEAVES, Foreign, ForeignNode, Test, assembled, leaf_moments, rows_below
from .intervals import code_test, with_band
from .lightgbm_levels import levels_of
from .lightgbm_text import LINEAR, dump_of
from .naming import given_levels, names_of, schema_of
from .sources import chosen, flag, json_of, reading, text_of

_WHAT = "a LightGBM model"
#: LightGBM takes numbers this close to 0 for 0 (a constant in single precision).
_ZERO = float(np.float32(1e-35))
#: What ``dump_model()`` writes for an infinite cut: all known values against the missing ones.
_DUMPED_INFINITY = 1e300


def from_lightgbm(model: Any, tree_index: int = 0, feature_names: Sequence[str] | None = None,
                  categories: dict[str, Any] | None = None, target_name: str = "y") -> ReadableTree:  # fmt: skip
    """Convert one tree of a LightGBM model to a Tree that predicts the contribution of the tree to the raw score.

    Predictions equal ``booster.predict(X, raw_score=True, start_iteration=i, num_iteration=1)`` for every double,
    including missing values, zeros that are treated as missing, and unknown categories. There are no intervals, because
    the model does not contain the spread within nodes.

    Parameters
    ----------
    model : Booster, LightGBM's scikit-learn estimator, dict, str, bytes or path
        The fitted model; the result of ``dump_model()`` as a dictionary or JSON text; that of ``model_to_string()``; or
        a file with one of these texts.
    tree_index : int
        Number of the tree; a model with K classes has K trees in each iteration.
    feature_names : sequence of str, optional
        Default: those of the model.
    categories : dict of str to sequence, optional
        Names of the levels of a categorical feature, in the order of their codes 0, 1, 2 ... Default: those of the
        pandas data frame to which the model was fitted; without names, the feature is numeric and holds the codes. A
        feature of an ordered pandas type is numeric too; with names, it is ordinal.
    target_name : str

    Returns
    -------
    ReadableTree

    Raises
    ------
    ModelFileError
        The argument is not a LightGBM model, the model has linear trees, it is not clear which levels belong to which
        feature, or there is no such tree.
    DataTypeError, FileError, ParameterError
        The argument is not a model, the file cannot be read, or the names do not match the model.

    Examples
    --------
    >>> import boxwood
    >>> low, high = {"leaf_value": -1.0, "leaf_count": 30}, {"leaf_value": 2.0, "leaf_count": 10}
    >>> root = {"split_feature": 0, "threshold": 41.5, "decision_type": "<=", "default_left": False,
    ...         "missing_type": "NaN", "left_child": low, "right_child": high}
    >>> dump = {"feature_names": ["age"], "feature_infos": {}, "tree_info": [{"tree_structure": root}]}
    >>> print(boxwood.from_lightgbm(dump))
    Decision tree (lightgbm) for y: 3 nodes, 2 leaves, depth 1
    all rows (40 rows, -0.25)
    ├─ age <= 41.5 → -1 (30 rows)
    └─ age > 41.5 or missing → 2 (10 rows)
    """
    dump = _dump(model)
    with reading(_WHAT):
        found = list(dump["feature_names"])
        # For an array, LightGBM makes up names.
        own = found if found != [f"Column_{j}" for j in range(len(found))] else None
        names, named = names_of(feature_names, own, len(found))
        tree = _Reading(levels_of(dump, given_levels(categories, names)))
        tree.read(chosen(dump["tree_info"], tree_index))
        schema = schema_of(names, named, tree.levels, "LightGBM", ordered=tree.cut, coded=tree.sets - set(tree.levels))
        made_by = {"algorithm": "lightgbm", "tree_index": tree_index, **OF_LEAVES}
        return assembled(Foreign(tree.nodes(), schema, Means(target_name), "variance", made_by))


def _dump(model: Any) -> dict[str, Any]:
    """The dictionary of ``dump_model()``."""
    model = getattr(model, "booster_", model)
    if hasattr(model, "model_to_string"):
        # All trees, also those behind the best iteration; and the text names the features with categories.
        model = model.model_to_string(num_iteration=-1)
    if isinstance(model, dict):
        return model
    text = text_of(model, _WHAT)
    return json_of(text, _WHAT) if text.lstrip().startswith("{") else dump_of(text)


@dataclass
class _Place:
    """A node while it is read."""

    test: Test | None = None
    missing: int = -2
    value: float = 0.0
    rows: float = 0.0
    children: tuple[int, ...] = ()


class _Reading:
    """Turns the nested nodes of a dump into a list, without recursion."""

    def __init__(self, levels: dict[int, tuple[Any, ...]]) -> None:
        self.levels = levels
        #: Features that are cut, and those of which sets of categories go left.
        self.cut: set[int] = set()
        self.sets: set[int] = set()
        self._places: list[_Place] = []

    def read(self, info: dict[str, Any]) -> None:
        """Read one tree.

        Raises
        ------
        ModelFileError
            It has linear models in its leaves.
        """
        waiting = [(info["tree_structure"], None)]
        while waiting:
            node, above = waiting.pop()
            at = len(self._places)
            self._places.append(_Place())
            if above is not None:
                self._places[above].children += (at,)
            if "leaf_value" in node:
                if "leaf_coeff" in node or "leaf_const" in node:
                    raise ModelFileError(LINEAR)
                self._places[at].value = float(node["leaf_value"])
                self._places[at].rows = float(node.get("leaf_count", 1))
                continue
            self._split(self._places[at], node)
            # The left child is taken next, so it is listed first.
            waiting += [(node["right_child"], at), (node["left_child"], at)]
        if self.cut & self.sets:
            raise ModelFileError(f"this is not {_WHAT}: feature {min(self.cut & self.sets)} is cut and has categories.")

    def _split(self, place: _Place, node: dict[str, Any]) -> None:
        """The test of a node, and where a missing value goes."""
        j = int(node["split_feature"])
        if node["decision_type"] == "==":
            place.test, place.missing = self._set(j, node), 1
            return
        if node["decision_type"] != "<=":
            raise ModelFileError(f"this is not {_WHAT}: a test is {node['decision_type']!r}.")
        self.cut.add(j)
        cut, default = float(node["threshold"]), 0 if flag(node["default_left"]) else 1
        if abs(cut) == _DUMPED_INFINITY:
            cut = math.copysign(math.inf, cut)
        kind = node["missing_type"]
        zero = default if kind == "Zero" else int(cut < 0.0)
        # Without missing values in training, one counts as 0.
        place.missing = default if kind == "NaN" else zero
        place.test = with_band(Test(j, (cut,), (0, 1)), math.nextafter(-_ZERO, -math.inf), _ZERO, zero)

    def _set(self, j: int, node: dict[str, Any]) -> Test:
        """The levels that go left; all others, missing and unknown ones go right."""
        self.sets.add(j)
        left = {int(code) for code in str(node["threshold"]).split("||") if code}
        levels = self.levels.get(j)
        if levels is None:
            return code_test(j, left, _below_code, 0)
        if max(left, default=0) >= len(levels):
            raise ParameterError(
                f"feature {j} has {len(levels)} levels and the tree tests for code {max(left)}; ",
                remedy("give all of them in ", Setting("categories")), ".",
            )  # fmt: skip
        return Test(j, (), tuple(0 if code in left else 1 for code in range(len(levels))))

    def nodes(self) -> list[ForeignNode]:
        """The nodes read."""
        children = [place.children for place in self._places]
        rows = rows_below(children, np.array([place.rows for place in self._places]))
        moments = leaf_moments(children, np.array([place.value for place in self._places]), rows.astype(float))
        return [
            ForeignNode(place.children, place.test, place.missing, moments[t], int(rows[t]))
            for t, place in enumerate(self._places)
        ]


def _below_code(code: int) -> float:
    """The largest number whose code is smaller: LightGBM cuts decimals off, so that -0.5 has the code 0."""
    return math.nextafter(float(code), -math.inf) if code else -1.0
