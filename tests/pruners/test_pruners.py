"""Every pruner on trees of every algorithm: at fit, after it, in files, and in any order of rows."""

from __future__ import annotations

import numpy as np
import pytest

import boxwood
from boxwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    ID3Classifier,
    TreeClassifier,
    pruners,
)
from boxwood.errors import ParameterError, ResponseError
from boxwood.pruning.pruners.registry import PRUNERS, read_pruner


def table(n: int = 240, seed: int = 0):
    """Names only (so that every algorithm takes them), gaps, and a noisy class."""
    rng = np.random.default_rng(seed)
    X = {f"列{j}": rng.choice(["a", "b", "c"], n).astype(object) for j in range(5)}
    y = np.where((X["列0"] == "a") & (X["列1"] != "b"), "yes", "no")
    return X, np.where(rng.random(n) < 0.2, rng.choice(["yes", "no"], n), y)


def with_gaps(X, seed: int = 1):
    rng = np.random.default_rng(seed)
    return {name: np.where(rng.random(len(v)) < 0.1, None, v) for name, v in X.items()}


def part(X, rows):
    return {name: v[rows] for name, v in X.items()}


X, Y = table()
X_NEW, Y_NEW = table(120, seed=7)
ALL = [
    pruners.CostComplexity(folds=4),
    pruners.CostComplexity(folds=4, loss="error"),
    pruners.CostComplexity(holdout=0.3),
    pruners.CostComplexity("1se", folds=3, risk="entropy"),
    pruners.OneLeaf(n_leaves=4),
    pruners.OneLeaf(lam=0.01),
    pruners.OneLeaf(folds=4),
    pruners.OneLeaf(choose="lambda", folds=4, risk="gini"),
    pruners.OneLeaf(holdout=0.25),
    pruners.ReducedError(),
    pruners.ReducedError(ties="keep", holdout=0.4),
    pruners.ErrorBased(raising=False),
    pruners.ErrorBased((0.01, 0.1, 0.25), raising=False, folds=4),
    pruners.MinimumDescriptionLength(),
    pruners.CriticalValue(threshold=0.05),
    pruners.CriticalValue(folds=4),
    pruners.CriticalValue(measure="gini", holdout=0.3, rule="1se"),
    pruners.PrePruning(),
    pruners.PrePruning("keep", "grow"),
    pruners.SameDecision(),
]
RAISING = [
    pruners.ErrorBased(),
    pruners.ErrorBased([0.05, 0.25], folds=4),
    pruners.ErrorBased([0.05, 0.5], holdout=0.3),
]
MODELS = [
    (CARTClassifier, {}),
    (C45Classifier, {}),
    (ID3Classifier, {}),
    (CHAIDClassifier, {"alpha_split": 0.9}),
    (TreeClassifier, {"branching": "multiway", "criterion": "gain_ratio", "missing": "fractional"}),
]


@pytest.mark.sample(30)
@pytest.mark.parametrize("pruner", ALL, ids=repr)
@pytest.mark.parametrize(("estimator", "settings"), MODELS)
def test_any_pruner_at_fit(tmp_path, estimator, settings, pruner):
    data = X if estimator is ID3Classifier else with_gaps(X)
    model = estimator(pruning=pruner, **settings).fit(data, Y)
    path = model.pruning_path_
    assert path.pruner == pruner.name
    assert model.get_n_leaves() <= model.model_.full_tree.n_leaves
    assert model.get_n_leaves() == path.n_leaves[path.row]
    assert path.to_frame("dict")["selected"].index(True) == path.row
    file = tmp_path / "m.box"
    model.save(file)
    again = boxwood.load(file)
    assert again.model_.to_bytes() == file.read_bytes()
    assert again.predict(X_NEW).tolist() == model.predict(X_NEW).tolist()
    assert again.pruning_path_.to_frame("dict") == path.to_frame("dict")
    assert again.fit(data, Y).model_.to_bytes() == file.read_bytes()
    # Going back to the weakest links of the full tree.
    full = model.model_.full_tree
    assert (
        again.prune(alpha=0.0).get_n_leaves()
        == estimator(pruning=None, **settings)
        .fit(*(part(data, keep_of(model)), Y[keep_of(model)]))
        .prune(alpha=0.0)
        .get_n_leaves()
    )
    assert again.model_.full_tree.n_nodes == full.n_nodes


def keep_of(model) -> np.ndarray:
    """Rows that the full tree was grown from."""
    from boxwood.learning.folds import content_holdout

    share = model.pruning.holdout
    if share is None:
        return np.ones(len(Y), dtype=bool)
    data = X if isinstance(model, ID3Classifier) else with_gaps(X)
    return ~content_holdout(learned(data, Y), share)


def learned(data, y):
    """The learning set of a fit."""
    from boxwood.data.frames.frame import learn_columns
    from boxwood.learning.learning_set import learning_set
    from boxwood.learning.responses import read_target

    settings = {"class_weight": None, "priors": None, "costs": None}
    return learning_set(learn_columns(data), read_target(y, settings), 1)


@pytest.mark.parametrize("pruner", RAISING, ids=repr)
def test_raising_at_fit(tmp_path, pruner):
    model = CARTClassifier(pruning=pruner, missing="majority").fit(with_gaps(X), Y)
    assert 1 <= model.get_n_leaves() < model.model_.full_tree.n_leaves
    model.save(tmp_path / "m.box")
    again = boxwood.load(tmp_path / "m.box")
    assert again.predict(X_NEW).tolist() == model.predict(X_NEW).tolist()
    assert again.model_.to_bytes() == model.model_.to_bytes()


def test_raising_after_the_fit_takes_the_rows_of_the_fit():
    at_fit = CARTClassifier(pruning=pruners.ErrorBased(), missing="majority").fit(X, Y)
    later = CARTClassifier(pruning=None, missing="majority").fit(X, Y).prune(X, Y, pruner=pruners.ErrorBased())
    assert later.tree_.moments.tolist() == at_fit.tree_.moments.tolist()
    with pytest.raises(ParameterError, match="needs the rows that the tree was grown from"):
        later.prune(pruner=pruners.ErrorBased())


@pytest.mark.parametrize("pruner", [p for p in ALL if p.rows == "validation"], ids=repr)
def test_any_pruner_after_the_fit(pruner):
    model = CARTClassifier(pruning=None).fit(X, Y)
    full = model.get_n_leaves()
    assert model.prune(X_NEW, Y_NEW, pruner=pruner).get_n_leaves() <= full
    path = model.pruning_path_
    losses = path.to_frame("dict").get("loss")
    if losses is not None and model.model_.loss == "error":
        assert losses[path.row] == pytest.approx(1 - model.score(X_NEW, Y_NEW))
    elif losses is not None:
        right = model.predict_proba(X_NEW)[np.arange(len(Y_NEW)), (Y_NEW == "yes").astype(int)]
        assert losses[path.row] == pytest.approx(((1.0 - right) ** 2).mean())
    twice = CARTClassifier(pruning=None).fit(X, Y).prune(X_NEW, Y_NEW, np.full(len(Y_NEW), 2.0), pruner=pruner)
    thrice = {name: np.concatenate((v, v)) for name, v in X_NEW.items()}
    doubled = CARTClassifier(pruning=None).fit(X, Y).prune(thrice, np.concatenate((Y_NEW, Y_NEW)), pruner=pruner)
    assert twice.tree_.moments.tolist() == doubled.tree_.moments.tolist()
    assert model.prune(n_leaves=1).get_n_leaves() == 1
    assert model.prune(alpha=0.0).get_n_leaves() > 1


@pytest.mark.parametrize("pruner", ALL + RAISING, ids=repr)
def test_the_order_of_rows_changes_nothing(pruner):
    order = np.random.default_rng(3).permutation(len(Y))
    one = CARTClassifier(pruning=pruner, missing="majority").fit(X, Y)
    two = CARTClassifier(pruning=pruner, missing="majority", n_jobs=1).fit(part(X, order), Y[order])
    assert one.tree_.moments.tolist() == two.tree_.moments.tolist()
    assert one.pruning_path_.to_frame("dict") == two.pruning_path_.to_frame("dict")


NUMBERS = [
    pruners.CostComplexity(folds=4), pruners.CostComplexity(holdout=0.3), pruners.OneLeaf(folds=4),
    pruners.OneLeaf(lam=0.1), pruners.ReducedError(), pruners.CriticalValue(folds=4),
    pruners.CriticalValue(threshold=0.5), pruners.PrePruning(),
]  # fmt: skip


@pytest.mark.parametrize("pruner", NUMBERS, ids=repr)
@pytest.mark.parametrize("criterion", ["variance", "poisson"])
def test_trees_of_numbers(pruner, criterion):
    rng = np.random.default_rng(0)
    data = rng.integers(0, 12, (200, 3)).astype(float)
    y = rng.poisson(1 + data[:, 0] / 3).astype(float)
    exposure = rng.integers(1, 4, 200) if criterion == "poisson" else None
    model = CARTRegressor(criterion=criterion, pruning=pruner).fit(data, y, exposure=exposure)
    assert 1 <= model.get_n_leaves() < model.model_.full_tree.n_leaves
    later = CARTRegressor(criterion=criterion, pruning=None).fit(data, y, exposure=exposure)
    later.prune(data[:50] + 0.5, y[:50], pruner=pruner, exposure=None if exposure is None else exposure[:50])
    assert later.get_n_leaves() <= later.model_.full_tree.n_leaves


@pytest.mark.parametrize(
    "pruner", [pruners.MinimumDescriptionLength(), pruners.ErrorBased(raising=False), pruners.SameDecision()]
)
def test_what_counts_classes_refuses_numbers(pruner):
    with pytest.raises(
        ParameterError, match=r"(predicts a number|of classes); for a numeric target or a rate use CostComplexity"
    ):
        CARTRegressor(pruning=pruner).fit([[1], [2], [3], [4]], [1.0, 2.0, 3.0, 4.0])


def test_names_of_pruners():
    for name in PRUNERS:
        if name not in ("error_based",):
            model = CARTClassifier(pruning=name).fit(X, Y)
            assert model.pruning_path_.pruner == name
            assert boxwood.CARTClassifier(pruning=name.replace("_", "-").upper()).fit(X, Y).get_n_leaves() == (
                model.get_n_leaves()
            )
    assert read_pruner(None) is None


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: pruners.CostComplexity(rule="best"), "rule must be one of"),
        (lambda: pruners.CostComplexity(folds=1), "folds must be at least 2"),
        (lambda: pruners.CostComplexity(folds=5, holdout=0.2), "give folds or holdout, not both"),
        (lambda: pruners.CostComplexity(holdout=1.5), "holdout must be None or a share"),
        (lambda: pruners.ReducedError(ties="maybe"), "ties must be one of 'prune', 'keep'"),
        (lambda: pruners.ReducedError(holdout=2), "holdout must be"),
        (lambda: pruners.PrePruning(unreached="stay"), "unreached must be one of"),
        (lambda: pruners.OneLeaf(n_leaves=3, lam=0.1), "n_leaves or lam, not both"),
        (lambda: pruners.OneLeaf(n_leaves=0), "n_leaves must be a whole number"),
        (lambda: pruners.OneLeaf(n_leaves=3, folds=5), "the tree to take is given"),
        (lambda: pruners.OneLeaf(rule="none"), "needs the value to prune at"),
        (lambda: pruners.OneLeaf(choose="size"), "choose must be one of"),
        (lambda: pruners.OneLeaf(lam=-1.0), "lam must be"),
        (lambda: pruners.CriticalValue(threshold=float("nan")), "threshold must be a finite number"),
        (lambda: pruners.CriticalValue(threshold=0.1, holdout=0.5), "the tree to take is given"),
        (lambda: pruners.ErrorBased(0.9), "confidence must be"),
        (lambda: pruners.ErrorBased([0.1]), "at least two different ones"),
        (lambda: pruners.ErrorBased(raising=1), "raising must be True or False"),
        (lambda: read_pruner("optimal"), "pruning must be 'cv', 'cv-1se', 'cost_complexity'"),
        (lambda: read_pruner(pruners.ReducedError), "an object of boxwood.pruners"),
    ],
)
def test_wrong_settings_are_named(make, words):
    with pytest.raises(ParameterError, match=words):
        make()


def test_what_is_missing_is_named():
    model = CARTClassifier(pruning=None).fit(X, Y)
    with pytest.raises(ParameterError, match="needs rows that the tree was not grown from"):
        model.prune(pruner=pruners.ReducedError())
    with pytest.raises(ParameterError, match="folds can only be grown while fitting"):
        model.prune(pruner=pruners.CostComplexity())
    with pytest.raises(ParameterError, match=r"confidences 0\.25, 0\.1 with raising.* name one confidence"):
        model.prune(X, Y, pruner=pruners.ErrorBased([0.1, 0.25]))
    with pytest.raises(ParameterError, match="exactly one of pruner, alpha"):
        model.prune(pruner=pruners.OneLeaf(n_leaves=2), alpha=0.1)
    with pytest.raises(ParameterError, match="takes X and y together"):
        model.prune(X_NEW, pruner=pruners.ReducedError())
    with pytest.raises(ParameterError, match="take no rows"):
        model.prune(X_NEW, Y_NEW, alpha=0.1)
    with pytest.raises(ResponseError, match=r"a label that did not occur in training: 'maybe' \(1 row\)"):
        model.prune(part(X_NEW, [0, 1]), ["yes", "maybe"], pruner=pruners.ReducedError())
    with pytest.raises(ParameterError, match="exposure is for counts"):
        model.prune(X_NEW, Y_NEW, pruner=pruners.ReducedError(), exposure=np.ones(120))
    before = model.get_n_leaves()
    assert model.get_n_leaves() == before == model.model_.full_tree.n_leaves


def test_too_few_rows_are_not_held_out():
    with pytest.warns(boxwood.PruningWarning, match="too few rows to hold out a share of 0.1"):
        model = CARTClassifier(pruning=pruners.ReducedError(holdout=0.1)).fit([[1], [2], [3]], ["a", "b", "a"])
    assert model.get_n_leaves() == 3


def test_a_holdout_is_drawn_by_content_and_class():
    learning = learned(X, Y)
    from boxwood.learning.folds import content_holdout

    held_out = content_holdout(learning, 0.3)
    for label in ("yes", "no"):
        assert abs(held_out[label == Y].sum() - 0.3 * (label == Y).sum()) <= 1
    assert not np.array_equal(held_out, content_holdout(learning, 0.3, salt=1))


def test_another_pruner_keeps_the_cross_validated_family():
    model = CARTClassifier(pruning=pruners.CostComplexity(folds=4, risk="error", loss="error")).fit(X, Y)
    losses, table = model.cost_complexity_path_.cv_mean.tolist(), model.cp_table()
    model.prune(pruner=pruners.MinimumDescriptionLength())
    assert model.pruning_path_.pruner == "mdl"
    assert model.cost_complexity_path_.cv_mean.tolist() == losses
    assert model.cp_table() == table
    assert model.model_.cv is None
    assert model.prune(alpha=0.01).pruning_path_.pruner == "cost_complexity"
