"""New statistics for the nodes of a fitted tree: exact, the same for the rows of the fit, and tested for drift."""

from __future__ import annotations

import time
import warnings

import numpy as np
import pytest

import boxwood
from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CHAIDClassifier, CHAIDRegressor, Tweedie, datasets
from boxwood.edits import GrowBelow, OverruleLeaf
from boxwood.errors import DataError, ParameterError, ResponseError, UnseenLevelError
from boxwood.model.tree_model import TreeModel
from boxwood.statistics.grid_sums import grid_sums
from boxwood.tree.validate import validate
from effort import examples

CLASSIFIERS = {
    "cv": CARTClassifier,
    "full": lambda: CARTClassifier(pruning=None),
    "balanced": lambda: CARTClassifier(class_weight="balanced"),
    "priors": lambda: CARTClassifier(priors="uniform", pruning=None, max_depth=4),
    "costs": lambda: CARTClassifier(costs=[[0, 1], [3, 0]], pruning=None, max_depth=4),
    "branch": lambda: CARTClassifier(pruning=None, missing="own_branch"),
    "held out": lambda: CARTClassifier(pruning="reduced-error"),
    "smoothed": lambda: CARTClassifier(smoothing="laplace"),
    "rpart": lambda: CARTClassifier(compat="rpart"),
    "bins": lambda: CARTClassifier(max_bins=16),
    "fractions": C45Classifier,
    "chaid": CHAIDClassifier,
}
REGRESSORS = {
    "means": CARTRegressor,
    "full": lambda: CARTRegressor(pruning=None),
    "poisson": lambda: CARTRegressor(criterion="poisson", pruning=None),
    "gamma": lambda: CARTRegressor(criterion="gamma", pruning=None),
    "tweedie": lambda: CARTRegressor(criterion=Tweedie(1.5), pruning=None),
    "chaid": CHAIDRegressor,
}


def titanic() -> tuple[dict, list]:
    X = datasets.load("titanic")
    return X, X.pop("survived")


def computers() -> tuple[dict, list]:
    X = datasets.load("computer_hardware")
    return X, X.pop(list(X)[-1])


def some(X: dict, rows) -> dict:
    return {name: [values[i] for i in rows] for name, values in X.items()}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("models", "kind", "table"),
    [(CLASSIFIERS, kind, titanic) for kind in CLASSIFIERS] + [(REGRESSORS, kind, computers) for kind in REGRESSORS],
)
def test_the_rows_of_the_fit_change_no_byte(models, kind, table, weighted):
    X, y = table()
    weight = np.random.default_rng(0).random(len(y)) if weighted else None
    model = models[kind]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y, sample_weight=weight)
        before = model.model_.to_bytes()
        model.refresh(X, y, weight)
    assert model.model_.to_bytes() == before
    drift = model.node_drift(X, y, weight)
    assert not len(drift.drifted)
    assert not len(drift.shifted)


@pytest.mark.parametrize("kind", [k for k in CLASSIFIERS if k not in ("held out", "fractions")])
def test_classes_are_those_of_the_new_rows(kind):
    X, y = titanic()
    rows = np.random.default_rng(1).permutation(len(y))[:300]
    new, y_new = some(X, rows), [y[i] for i in rows]
    model = CLASSIFIERS[kind]().fit(X, y)
    splits = model.tree_.splits.breaks.tolist()
    at = model.apply(new)
    model.refresh(new, y_new)
    tree = model.tree_
    validate(tree)
    assert set(tree.splits.breaks.tolist()) <= set(splits)
    assert tree.rows[0] == 300
    assert tree.counts[0].tolist() == pytest.approx([y_new.count("no"), y_new.count("yes")])
    assert model.model_.from_bytes(model.model_.to_bytes()).to_bytes() == model.model_.to_bytes()
    if kind == "full":
        here = [label for label, node in zip(y_new, at, strict=True) if node == at[0]]
        assert model.predict_proba(some(new, [0]))[0, 0] == here.count("no") / len(here)


@pytest.mark.parametrize("kind", REGRESSORS)
def test_numbers_are_those_of_the_new_rows(kind):
    X, y = computers()
    model = REGRESSORS[kind]().fit(X, y)
    rows = np.arange(0, len(y), 2)
    new, y_new, weight = some(X, rows), np.array([y[i] for i in rows]), np.arange(1.0, len(rows) + 1)
    at = model.apply(new)
    model.refresh(new, y_new, weight)
    predicted = model.predict(new)
    for node in set(at.tolist()):
        here = at == node
        assert predicted[here] == pytest.approx(np.average(y_new[here], weights=weight[here]), rel=1e-9)
    validate(model.tree_)
    assert model.tree_.weight_squares[0] == pytest.approx((weight**2).sum())


def test_neither_the_order_nor_the_blocks_of_rows_matter():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(40_000, 2)), rng.normal(size=40_000) * 1e6
    order, found = rng.permutation(len(y)), []
    for rows in (np.arange(len(y)), order):
        model = CARTRegressor(max_depth=3, pruning=None).fit(X[:500], y[:500])
        found.append(model.refresh(X[rows], y[rows], np.abs(X[rows, 0])).model_.to_bytes())
    assert found[0] == found[1]


@pytest.mark.parametrize("seed", range(examples(40)))
def test_grid_sums_are_close_and_independent_of_order(seed):
    rng = np.random.default_rng(seed)
    values, groups = rng.normal(size=3000) * 10.0 ** rng.integers(-200, 200), rng.integers(0, 7, 3000)
    bound, order = float(np.abs(values).max()), rng.permutation(3000)
    sums = grid_sums(groups, 7, [bound], lambda rows: [values[rows]])
    again = grid_sums(groups[order], 7, [bound], lambda rows: [values[order][rows]])
    assert sums.tolist() == again.tolist()
    np.testing.assert_allclose(sums[:, 0], np.bincount(groups, values, 7), rtol=1e-7, atol=1e-9 * bound)


def test_a_node_without_rows_becomes_an_empty_leaf():
    X = {"x": [1, 2, 3, 4, 5, 6]}
    model = CARTRegressor(pruning=None).fit(X, [1, 2, 3, 10, 11, 12])
    model.refresh({"x": [1, 2, 3]}, [5, 6, 7])
    assert model.predict({"x": [6, 1]}).tolist() == [6.0, 5.0]
    validate(model.tree_)
    assert model.model_.notes[-1] == (
        "The statistics of the nodes are those of 3 newer rows; the splits are those of the fit."
    )
    assert model.prune(alpha=0.0).tree_.n_leaves >= 1


def test_new_levels_follow_the_policy_and_new_classes_are_refused():
    X, y = {"市": ["京都", "京都", "東京", "東京"] * 5}, ["a", "a", "b", "b"] * 5
    model = CARTClassifier(pruning=None).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert model.refresh({"市": ["大阪", "京都", "東京"]}, ["a", "a", "b"]).tree_.rows[0] == 3
    strict = CARTClassifier(pruning=None, unseen="error").fit(X, y)
    with pytest.raises(UnseenLevelError):
        strict.refresh({"市": ["大阪"]}, ["a"])
    with pytest.raises(ResponseError, match="'c'"):
        model.refresh({"市": ["京都"]}, ["c"])
    with pytest.raises(ParameterError, match="level must"):
        model.node_drift(X, y, level=2)


def steps(rng, n: int, shift: float) -> tuple[dict, np.ndarray]:
    """Probabilities on four rectangles, one of which moves."""
    x, z = rng.random(n), rng.random(n)
    p = np.where(x < 0.5, np.where(z < 0.5, 0.2, 0.35 + shift), np.where(z < 0.5, 0.6, 0.8))
    return {"x": x, "z": z}, p


@pytest.mark.parametrize("numbers", [False, True])
def test_planted_drift_is_found_and_without_it_the_level_holds(numbers):
    """Power 0.9 for one of four segments of 1,500 rows that moves by 0.1 (or a third of a standard deviation)."""
    hits, alarms, n = 0, 0, examples(300)
    for seed in range(n):
        rng = np.random.default_rng(seed)
        samples = []
        for shift in (0.0, 0.0, 0.1):
            X, p = steps(rng, 6000, shift)
            y = 3 * p + rng.normal(size=len(p)) if numbers else (rng.random(len(p)) < p).astype(int)
            samples.append((X, y))
        make = CARTRegressor if numbers else CARTClassifier
        model = make(max_depth=2, pruning=None).fit(*samples[0])
        same, moved = (model.node_drift(*sample) for sample in samples[1:])
        alarms += len(same.drifted) + len(same.shifted) > 0
        hits += model.apply({"x": [0.25], "z": [0.75]})[0] in moved.drifted
    assert hits / n >= 0.9
    assert alarms / n <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / n)


def waves(seed: int, moved: bool) -> tuple[dict, np.ndarray]:
    """A step in x, and with ``moved`` another in w below it."""
    rng = np.random.default_rng(seed)
    X = {name: rng.random(3000) for name in ("x", "z", "波")}
    p = np.where(X["x"] < 0.5, 0.2, 0.7)
    p = np.where((X["x"] < 0.5) & (X["波"] > 0.6) & moved, 0.8, p)
    return X, np.where(rng.random(3000) < p, "yes", "no")


def test_leaves_that_have_drifted_are_grown_as_edits_that_can_be_undone():
    model = CARTClassifier(max_depth=3, min_samples_leaf=100).fit(*waves(0, False))
    assert model.tree_.n_leaves == 2
    newer = waves(1, True)
    model.refresh(*newer, grow=True)
    assert "波" in {model.tree_.schema.names[j] for j in model.tree_.splits.feature if j >= 0}
    (edit,) = model.edits_
    assert (edit["verb"], edit["node"]) == ("grow", 1)
    assert edit["why"].startswith("y is distributed otherwise than at the fit, p ")
    model.edit(*newer).undo()
    assert model.tree_.n_leaves == 2
    assert model.tree_.rows[0] == 3000
    same = CARTClassifier().fit(*newer)
    before = same.model_.to_bytes()
    assert same.refresh(*newer, grow=True).model_.to_bytes() == before


def test_edits_of_earlier_rows_are_named_and_marks_stay():
    X, y = titanic()
    model = CARTClassifier(max_depth=3).fit(X, y)
    leaf = int(model.tree_.leaves[-1])
    model.edit(X, y).take(OverruleLeaf(leaf, "no"), who="A. Berg", why="policy")
    before = model.model_.to_bytes()
    assert model.refresh(X, y).model_.to_bytes() == before
    rows = range(0, len(y), 2)
    model.refresh(some(X, rows), [y[i] for i in rows])
    assert model.tree_.value[leaf] == 0
    assert model.model_.notes[-1].endswith("1 edit came before; their log is in the earlier model.")
    assert model.edits_ == []


def test_a_monotone_tree_stays_monotone():
    X, y = titanic()
    model = CARTClassifier(monotonic_cst={"age": -1}, pruning=None, max_depth=4).fit(X, y)
    rows = np.random.default_rng(0).permutation(len(y))[:300]
    model.refresh(some(X, rows), [y[i] for i in rows])
    assert str(model.certificate()).startswith("Proved")


def test_leaves_that_now_share_a_value_are_one_leaf():
    rng = np.random.default_rng(5)
    X = rng.integers(0, 12, (150, 2)).astype(float)
    y = X[:, 0] + rng.normal(size=150)
    model = CARTRegressor(max_depth=4, min_samples_leaf=3, pruning=None, monotonic_cst=[1, 0]).fit(X, y)
    before = model.get_n_leaves()
    model.refresh(X, rng.permutation(y))
    assert model.get_n_leaves() < before
    loaded = TreeModel.from_bytes(model.model_.to_bytes()).tree
    assert loaded.n_nodes == model.tree_.n_nodes
    assert (loaded.predict(X) == model.predict(X)).all()


def test_growth_keeps_the_class_weights_of_the_fit_and_needs_all_classes():
    rng = np.random.default_rng(0)
    X, draws = rng.normal(size=(600, 2)), rng.integers(0, 2, 600)
    settings = {"max_depth": 2, "pruning": None, "class_weight": "balanced"}
    model = CARTClassifier(**settings).fit(X, np.where(X[:, 0] > 0, draws, 0))
    weights = model.tree_.response.class_weights
    newer = np.where((X[:, 0] > 0) & (X[:, 1] > 0), draws, 1)
    model.refresh(X, newer, grow=True)
    assert model.tree_.response.class_weights == weights
    assert model.edit(X, newer).price(OverruleLeaf(int(model.apply(X)[0]), 1)).after["leaves"] == model.get_n_leaves()
    assert model.edit(X, newer).price(GrowBelow(0)).before["leaves"] == model.get_n_leaves()
    with pytest.raises(DataError, match="y has no row of the class 0, one of the classes of the model"):
        model.refresh(X, np.ones(600, dtype=int), grow=True)


def test_the_nodes_in_words():
    X, y = titanic()
    model = CARTClassifier().fit(X, y)
    rows = [i for i, sex in enumerate(X["sex"]) if sex == "male" or i % 3]
    flipped = ["no" if X["sex"][i] == "female" and X["class"][i] == "1st" else y[i] for i in rows]
    drift = model.node_drift(some(X, rows), flipped)
    first, *lines = str(drift).splitlines()
    assert first.startswith("3 of 13 nodes with another distribution of y, ")
    assert lines[0].startswith("- node 6, sex = female, class in {1st, 2nd}: yes 0.934 → ")
    records = drift.to_frame("dict")
    assert records["p"][6] < 1e-20
    assert drift.to_dict()["drifted"][0] == 6


@pytest.mark.long
def test_a_million_rows_take_about_twice_the_time_of_predict():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    n = 1_000_000
    X = pd.DataFrame(rng.normal(size=(n, 10)), columns=[f"x{i}" for i in range(10)])
    X["g"] = rng.choice(["a", "b", "c"], n)
    y = pd.Series(np.where(X["x0"] + rng.normal(size=n) > 0, "yes", "no")).astype("category")
    model = boxwood.CARTClassifier(max_depth=6, pruning=None).fit(X[:20_000], y[:20_000])

    def least(run) -> float:
        times = []
        for _ in range(5):
            start = time.process_time()
            run()
            times.append(time.process_time() - start)
        return min(times)

    assert least(lambda: model.refresh(X, y)) < 2.0 * least(lambda: model.predict(X))
