"""Rules of other programs on categories, zeros, infinities, rounding and names, each with the right answer."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

import boxwood
from boxwood.errors import ModelFileError

ZERO = float(np.float32(1e-35))


def xgboost_model(categories=None, cut=0.0, default_left=0, cats=None, kind="c"):
    """One split of one feature: the categories go right, or x < cut goes left; left predicts -1, right 2."""
    tree = {
        "left_children": [1, -1, -1], "right_children": [2, -1, -1], "split_indices": [0, 0, 0],
        "split_conditions": [cut, -1.0, 2.0], "default_left": [default_left, 0, 0], "sum_hessian": [40.0, 30.0, 10.0],
    }  # fmt: skip
    if categories is not None:
        tree |= {"split_type": [1, 0, 0], "categories": categories, "categories_nodes": [0],
                 "categories_segments": [0], "categories_sizes": [len(categories)]}  # fmt: skip
    model = {"trees": [tree], "cats": {"enc": cats or []}}
    return {"learner": {
        "learner_model_param": {"num_feature": "1"}, "feature_names": ["city"], "feature_types": [kind],
        "gradient_booster": {"name": "gbtree", "model": model},
    }}  # fmt: skip


class Estimator:
    """An estimator of XGBoost as the reader sees it."""

    def __init__(self, saved, missing):
        self._saved, self.missing = saved, missing

    def get_booster(self):
        return self

    def save_raw(self, form):
        assert form == "json"
        return json.dumps(self._saved).encode()


def lightgbm_model(root, names=("city",), infos=None, **more):
    """One split; left predicts 1, right 2."""
    low, high = ({"leaf_value": value, "leaf_count": 4} for value in (1.0, 2.0))
    node = {"split_feature": len(names) - 1, "default_left": False, "missing_type": "None", "decision_type": "<=",
            "left_child": low, "right_child": high}  # fmt: skip
    trees = [{"tree_structure": node | root}]
    return {"feature_names": list(names), "feature_infos": infos or {}, "tree_info": trees, **more}


CODES = {"decision_type": "==", "threshold": "0||3"}


def test_xgboost_sends_codes_that_no_split_lists_to_the_left():
    tree = boxwood.from_xgboost(xgboost_model([1, 3, 4]))
    right = [1, 3, 4, 1.7, 0.99999999, 4.9, math.nan]
    left = [0, 2, 5, 7, 1e9, -1, -0.5, 1.9999999999, 0.9, 3e38, -math.inf]
    assert tree.predict({"city": right}).tolist() == [2.0] * len(right)
    assert tree.predict({"city": left}).tolist() == [-1.0] * len(left)
    assert "city not in {1, 3, 4} → -1" in str(tree)
    assert "city in {1, 3, 4} or missing → 2" in str(tree)
    assert tree.rules().to_text().startswith("If city is not 1, 3 or 4, then y is -1.")
    assert "city != 1" in str(boxwood.from_xgboost(xgboost_model([1])))


@pytest.mark.parametrize("codes", [[2**31 - 1], range(300_000), [0, 2**24]])
def test_huge_codes_are_shown(codes):
    tree = boxwood.from_lightgbm(lightgbm_model({"decision_type": "==", "threshold": "||".join(map(str, codes))}))
    assert len(str(tree) + tree.rules().to_text() + tree.to_svg()) < 10_000
    assert tree.predict({"city": [codes[0], codes[-1], codes[-1] + 1]}).tolist() == [1.0, 1.0, 2.0]


def test_lightgbm_cuts_decimals_of_codes_off():
    tree = boxwood.from_lightgbm(lightgbm_model(CODES, infos={"city": {"values": [-1, 0, 1, 2, 3]}}))
    left, right = [0, 3, -0.5, 0.9, 3.99, -0.0], [1, 2, 4, -1, -3, 1e9, math.inf, math.nan, None]
    assert tree.predict({"city": left}).tolist() == [1.0] * len(left)
    assert tree.predict({"city": right}).tolist() == [2.0] * len(right)
    assert "city in {0, 3} → 1" in str(tree)


def test_lists_of_levels_beside_a_constant_column():
    lists = [["k", "m"], ["x", "y", "z", "ü"]]
    dump = lightgbm_model(CODES, ("one", "city"), {"city": {"values": [-1, 0, 1, 2, 3]}}, pandas_categorical=lists)
    tree = boxwood.from_lightgbm(dump)
    assert tree.schema[1].levels == ("x", "y", "z", "ü")
    assert tree.predict({"one": [0, 0, 0], "city": ["ü", "y", "new"]}).tolist() == [1.0, 2.0, 2.0]
    # The text names the constant column too.
    named = boxwood.from_lightgbm(dump | {"categorical_feature": [0, 1]})
    assert [feature.levels for feature in named.schema] == [("k", "m"), ("x", "y", "z", "ü")]
    unclear = dump | {"feature_names": ["one", "city", "more"]}
    with pytest.raises(ModelFileError, match="does not tell which list belongs to which feature; give the levels"):
        boxwood.from_lightgbm(unclear | {"pandas_categorical": [["a", "b", "c", "d"], lists[1]]})
    given = boxwood.from_lightgbm(unclear, categories={"city": ["p", "q", "r", "s"]})
    assert given.schema[1].levels == ("p", "q", "r", "s")


def test_a_feature_that_lightgbm_cuts_is_ordinal_where_its_levels_are_given():
    tree = boxwood.from_lightgbm(lightgbm_model({"threshold": 0.5}), categories={"city": ["low", "mid", "high"]})
    assert tree.schema[0].kind == "ordinal"
    assert tree.predict({"city": ["low", "mid", "high", None]}).tolist() == [1.0, 2.0, 2.0, 1.0]


@pytest.mark.parametrize(("cut", "missing_type", "left"), [
    (-ZERO, "None", [-2e-35, -np.inf]), (ZERO, "NaN", [-1.0, -ZERO, 0.0, ZERO]), (1e300, "NaN", [1.7e308, np.inf, 0.0]),
    (-1e300, "NaN", [-np.inf]), (5.0, "Zero", [-2e-35, 2e-35, 5.0]),
])  # fmt: skip
def test_zeros_and_infinite_cuts_of_lightgbm(cut, missing_type, left):
    tree = boxwood.from_lightgbm(lightgbm_model({"threshold": cut, "missing_type": missing_type}))
    rows = [-np.inf, -1.0, -2e-35, -ZERO, 0.0, ZERO, 2e-35, 5.0, 1.7e308, np.inf]
    predicted = dict(zip(rows, tree.predict({"city": rows}).tolist(), strict=True))
    assert [predicted[x] for x in left] == [1.0] * len(left)
    if missing_type == "Zero":
        assert [predicted[x] for x in (-ZERO, 0.0, ZERO)] == [2.0] * 3
    if cut == -ZERO:
        assert predicted[-ZERO] == 2.0  # it counts as 0


def test_names_that_lightgbm_makes_up_are_no_names_of_the_data():
    tree = boxwood.from_lightgbm(lightgbm_model({"threshold": 0.5}, ("Column_0",)))
    assert tree.predict(np.array([[0.0], [1.0]])).tolist() == [1.0, 2.0]  # without a warning


def test_the_number_that_an_estimator_of_xgboost_takes_for_missing():
    saved = xgboost_model(cut=-5.0, default_left=0, kind="q")
    rows = [-999, -999.00000001, -999.1, -5, None]
    assert boxwood.from_xgboost(Estimator(saved, -999)).predict({"city": rows}).tolist() == [2.0, 2.0, -1.0, 2.0, 2.0]
    assert boxwood.from_xgboost(Estimator(saved, np.nan)).predict({"city": rows}).tolist() == [-1.0] * 3 + [2.0] * 2
    infinite = boxwood.from_xgboost(Estimator(xgboost_model(cut=5.0, default_left=1, kind="q"), np.inf))
    assert infinite.predict({"city": [np.inf, 1e39, 3e38, -np.inf]}).tolist() == [-1.0, -1.0, 2.0, -1.0]
    codes = boxwood.from_xgboost(Estimator(xgboost_model([0, 2]), 0.0))
    assert codes.predict({"city": [0, 1, 2, None]}).tolist() == [2.0, -1.0, 2.0, 2.0]
    names = xgboost_model([0], cats=[{"offsets": [0, 1, 2], "values": [120, 121]}])
    with pytest.raises(ModelFileError, match="this estimator takes 0 for missing"):
        boxwood.from_xgboost(Estimator(names, 0))
    assert boxwood.from_xgboost(Estimator(names, -999)).predict({"city": ["x", "y"]}).tolist() == [2.0, -1.0]


def test_nothing_is_below_a_cut_of_minus_infinity():
    tree = boxwood.from_xgboost(xgboost_model(cut=-math.inf, kind="q"))
    assert tree.predict({"city": [-math.inf, -1e308, 0.0]}).tolist() == [2.0] * 3


def test_names_that_xgboost_may_have_cut_are_refused_also_where_they_can_be_read():
    # "éa" and "b" as XGBoost 3.2 stores them: three bytes for three letters.
    cut = [{"offsets": [0, 2, 3], "values": [0xC3 - 256, 0xA9 - 256, 97]}]
    with pytest.raises(ModelFileError, match="may be damaged in this model"):
        boxwood.from_xgboost(xgboost_model([1], cats=cut))
    tree = boxwood.from_xgboost(xgboost_model([1], cats=cut), categories={"city": ["éa", "b"]})
    assert tree.predict({"city": ["éa", "b"]}).tolist() == [-1.0, 2.0]


def test_scikit_learn_takes_the_largest_share_also_by_a_rounding():
    theirs = DecisionTreeClassifier(max_depth=1).fit([[0.0], [1.0], [2.0]], ["a", "b", "c"])
    state = theirs.tree_.__getstate__()
    state["values"][:] = [[[1 / 3, np.nextafter(1 / 3, 1), np.nextafter(1 / 3, 1)]]]
    theirs.tree_.__setstate__(state)
    assert theirs.predict([[0.0]]).tolist() == ["b"]
    tree = boxwood.from_sklearn(theirs)
    assert tree.predict([[0.0]]).tolist() == ["b"]
    np.testing.assert_allclose(tree.predict_proba([[0.0]]), 1 / 3, atol=1e-11)


@pytest.mark.parametrize("as_written", [False, True])
@pytest.mark.parametrize("cut", [-np.inf, np.inf])
def test_infinite_cuts_of_scikit_learn(cut, as_written):
    theirs = DecisionTreeClassifier(max_depth=1).fit([[0.0], [1.0], [2.0]], ["a", "b", "c"])
    state = theirs.tree_.__getstate__()
    state["nodes"]["threshold"][0] = cut
    theirs.tree_.__setstate__(state)
    rows = np.array([-np.inf, -1e300, -1e39, -3.4028234663852886e38, 0.0, 3.4028234663852886e38, 1e39, np.inf])[:, None]
    with np.errstate(over="ignore"):
        leaf = theirs.tree_.apply(rows.astype(np.float32))
    assert boxwood.from_sklearn(theirs, as_written=as_written).apply(rows).tolist() == leaf.tolist()


def rpart_dump(**more):
    frame = {"node": [1, 2, 3], "var": ["x 1", "<leaf>", "<leaf>"], "n": [3, 2, 1], "wt": [3, 2, 1],
             "yval": [3.0, 2.0, 5.0], "dev": [8.0, 2.0, 0.0], "ncompete": [0] * 3, "nsurrogate": [0] * 3}  # fmt: skip
    splits = {"var": ["x 1"], "ncat": [-1], "improve": [0.75], "index": [41.5], "adj": [0]}
    return {"format": "rpart", "method": "anova", "response": "y", "terms": ["`x 1`"], "xlevels": {}, "ordered": [],
            "frame": frame, "splits": splits, "csplit": [], "usesurrogate": 2} | more  # fmt: skip


def test_names_that_r_puts_between_backticks():
    tree = boxwood.from_rpart(rpart_dump())
    assert tree.schema.names == ("x 1",)
    assert tree.predict({"x 1": [41.4, 41.5]}).tolist() == [2.0, 5.0]


def test_a_node_of_rpart_without_rows_is_refused():
    empty = rpart_dump()["frame"] | {"n": [3, 3, 0], "yval": [3.0, 3.0, None]}
    with pytest.raises(ModelFileError, match="node 3 of this tree of rpart has no rows"):
        boxwood.from_rpart(rpart_dump(frame=empty))
    splits = rpart_dump()["splits"] | {"index": [-math.inf]}
    assert boxwood.from_rpart(rpart_dump(splits=splits)).predict({"x 1": [-math.inf, 0.0]}).tolist() == [5.0, 5.0]
