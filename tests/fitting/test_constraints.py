"""Features that may interact, features that are forbidden, and splits that are forced: in trees, folds and files."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from boxwood import CARTClassifier, CARTRegressor, ParameterError, load

GROUPS = [["a", "b"], ["b", "free", "town"]]


def table(n: int, gaps: float = 0.1) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(n)
    X = pd.DataFrame(
        {"a": rng.normal(size=n).round(2), "b": rng.integers(0, 6, n) * 1.0, "free": rng.normal(size=n),
         "town": rng.choice(["Ulm", "Bonn", "京都"], n), "twin": rng.normal(size=n)}
    )  # fmt: skip
    y = X["a"] * X["b"] + X["free"] * (X["town"] == "Ulm") + X["a"] * X["free"] + rng.normal(size=n)
    X["twin"] = X["a"] + 0.1 * X["twin"]
    for name in ("a", "free"):
        X.loc[rng.random(n) < gaps, name] = None
    return X, np.asarray(y)


def features_on_paths(tree, surrogates: bool = False) -> set[frozenset[str]]:
    """The features that the splits on each path test; with one surrogate of each node in its place."""
    names, found = np.array(tree.schema.names), set()
    for leaf in tree.leaves.tolist():
        path = tree.path(leaf)[:-1].tolist()
        found.add(frozenset(names[tree.splits.feature[path]]))
        for t in path if surrogates else ():
            for s in range(tree.surrogate_start[t], tree.surrogate_start[t + 1]):
                until = tree.splits.feature[path[: path.index(t) + 1]]
                found.add(frozenset(names[[*until, tree.surrogates.feature[s]]]))
    return found


@pytest.mark.parametrize("n", [200, 3000])
@pytest.mark.parametrize("more", [{}, {"max_bins": 40}, {"missing": "learned"}])
def test_interactions(n, more):
    X, y = table(n)
    plain = CARTRegressor(pruning=None, **more).fit(X, y).tree_
    assert max(map(len, features_on_paths(plain))) > 2
    for given, most in (("no_interactions", 1), ("pairwise", 2)):
        tree = CARTRegressor(pruning=None, interaction_cst=given, **more).fit(X, y).tree_
        assert max(map(len, features_on_paths(tree, surrogates=True))) == most
    tree = CARTRegressor(pruning=None, interaction_cst=GROUPS, **more).fit(X, y).tree_
    allowed = [set(group) for group in (*GROUPS, ["twin"])]
    assert all(any(path <= group for group in allowed) for path in features_on_paths(tree, surrogates=True))
    by_place = CARTRegressor(pruning=None, interaction_cst=[{0, 1}, (1, 2, 3)], **more).fit(X, y).tree_
    np.testing.assert_array_equal(by_place.value, tree.value)


def test_a_node_grown_anew_keeps_to_the_interactions():
    X, y = table(600)
    model = CARTRegressor(pruning=None, interaction_cst="pairwise", max_depth=5).fit(X, y)
    model.grow_below(X, y, 1, split="town = Ulm")
    assert max(map(len, features_on_paths(model.tree_, surrogates=True))) == 2


@pytest.mark.parametrize("n", [200, 3000])
def test_forbidden_features_are_in_no_split_and_no_surrogate(n):
    X, y = table(n)
    tree = CARTRegressor(pruning=None, forbidden_features=["a", 3]).fit(X, y).tree_
    used = set(np.unique(np.concatenate((tree.splits.feature, tree.surrogates.feature))).tolist())
    assert used == {-1, 1, 2, 4}
    without = CARTRegressor(pruning=None).fit(X.drop(columns=["a", "town"]), y).tree_
    np.testing.assert_array_equal(tree.value, without.value)


def test_streams_forbid_features_and_refuse_interactions(tmp_path):
    X, y = table(500)
    X.assign(y=y).to_csv(tmp_path / "t.csv", index=False)
    streamed = CARTRegressor(pruning=None, forbidden_features="a,town")
    streamed.fit_stream(str(tmp_path / "t.csv"), "y")
    memory = CARTRegressor(pruning=None, forbidden_features="a,town").fit(X, y)
    np.testing.assert_array_equal(streamed.tree_.splits.feature, memory.tree_.splits.feature)
    for settings in ({"interaction_cst": "pairwise"}, {"forced_splits": "a <= 0"}):
        with pytest.raises(ParameterError, match=f"{next(iter(settings))} needs? the rows in memory"):
            CARTRegressor(**settings).fit_stream(str(tmp_path / "t.csv"), "y")


FORCED = {"split": "town in {Ulm, 京都}", "yes": "b <= 2.5", "no": {"split": "a > 0", "yes": "free <= 0.1"}}
ENDLESS: dict = {"split": "a <= 0"}
ENDLESS["yes"] = ENDLESS


@pytest.mark.parametrize("pruning", [None, "cv", "cv-1se", "reduced_error"])
def test_forced_splits_are_in_the_tree_whatever_the_pruning(pruning, tmp_path):
    X, y = table(800)
    y = np.random.default_rng(0).normal(size=len(y)) if pruning else y  # nothing else is worth a split
    model = CARTRegressor(pruning=pruning, forced_splits=FORCED, random_state=0).fit(X, y)
    tree = model.tree_
    names = [tree.schema.names[j] if j >= 0 else None for j in tree.splits.feature[[0, 1, 2]]]
    assert names == ["town", "b", "a"]
    assert tree.schema.names[tree.splits.feature[tree.first_child[2]]] == "free"
    assert tree.splits.breaks_of(1).tolist() == [2.5]
    assert "forced split" in str(tree)
    if pruning is None:
        assert tree.n_leaves > 20
    else:
        assert tree.n_leaves < 12
    model.save(tmp_path / "m.box")
    assert load(tmp_path / "m.box").tree_.marks == tree.marks


def test_a_condition_as_text_and_json_and_the_row_order():
    X, y = table(300)
    one = CARTRegressor(forced_splits="town = 京都", random_state=0).fit(X, y).tree_
    other = CARTRegressor(forced_splits='{"split": "town = 京都"}', random_state=0).fit(X, y).tree_
    np.testing.assert_array_equal(one.value, other.value)
    order = np.random.default_rng(1).permutation(len(X))
    moved = CARTRegressor(forced_splits="town = 京都", random_state=0).fit(X.iloc[order], y[order]).tree_
    np.testing.assert_array_equal(one.value, moved.value)


def test_forced_splits_and_an_order_go_together():
    X, y = table(800)
    model = CARTRegressor(forced_splits=FORCED, monotonic_cst={"b": -1, "twin": 1}, pruning=None).fit(X, y)
    assert model.certificate().holds
    signs = model.tree_.monotonic[0]
    assert not signs[model.tree_.surrogates.feature].any()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"interaction_cst": "all"}, "interaction_cst must be 'pairwise', 'no_interactions' or"),
        ({"interaction_cst": ["a", "b"]}, "interaction_cst must be 'pairwise', 'no_interactions' or"),
        ({"interaction_cst": [["a", "size"]]}, "interaction_cst names 'size', but the features are"),
        ({"interaction_cst": [[0, 9]]}, "interaction_cst must be names of features, or places from 0 to 4"),
        ({"forbidden_features": ["size"]}, "forbidden_features names 'size'"),
        ({"forbidden_features": range(5)}, "forbidden_features names every feature"),
        (
            {"forbidden_features": ["a"], "monotonic_cst": {"a": 1}},
            "monotonic_cst is about column 'a', which forbidden",
        ),
        ({"forbidden_features": ["a"], "interaction_cst": [["a", "b"]]}, "interaction_cst is about column 'a', which"),
        ({"forbidden_features": ["a"], "forced_splits": "a <= 0"}, "forced_splits use column 'a', which forbidden"),
        ({"forced_splits": "size <= 0"}, "forced_splits"),
        ({"forced_splits": "a <= 0 and b <= 1"}, "forced_splits must be about one feature"),
        ({"forced_splits": {"yes": "a <= 0"}}, "forced_splits must be a condition, or a dict with 'split'"),
        ({"forced_splits": "{oops"}, "forced_splits must be a condition, or a dict with 'split'"),
        ({"forced_splits": FORCED, "max_depth": 2}, "forced_splits reach depth 3, and max_depth=2 allows less"),
        ({"forced_splits": FORCED, "interaction_cst": "no_interactions"}, "forced_splits test column 'b' below splits"),
        ({"forced_splits": FORCED, "max_leaf_nodes": 2}, "leaves, and max_leaf_nodes=2 allows fewer"),
        ({"forced_splits": '{"yes":' * 100_000}, "forced_splits must be a condition, or a dict with 'split'"),
        ({"forced_splits": ENDLESS}, "forced_splits have more than 100 splits on a path"),
        ({"forced_splits": "a <= 99"}, "divides no rows of node 0"),
    ],
)
def test_contradictions_are_refused_by_name(settings, words):
    X, y = table(200)
    with pytest.raises(ParameterError, match=words):
        CARTRegressor(**settings).fit(X, y)


def test_classes_too():
    X, y = table(500)
    settings = {"interaction_cst": [["town", "a", "b", "free"]], "forbidden_features": ["twin"]}
    tree = CARTClassifier(forced_splits=FORCED, **settings).fit(X, y > 0).tree_
    assert tree.schema.names[tree.splits.feature[0]] == "town"
    assert 4 not in tree.splits.feature
