"""The loss that chooses the size of a tree, the smoothed probabilities of leaves, and what is remarked on the size."""

from __future__ import annotations

import numpy as np
import pytest

import boxwood
from boxwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    CLSClassifier,
    CostComplexity,
    ID3Classifier,
    TreeClassifier,
    datasets,
    pruners,
)
from boxwood.errors import ParameterError


def rare(seed: int = 1, n: int = 3000, share: float = 0.08):
    """Events of which no leaf holds a majority, although two features tell who is likelier to have one."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    score = X[:, 0] + (X[:, 1] > 0) + rng.logistic(size=n)
    return X, np.where(score > np.quantile(score, 1.0 - share), "event", "none")


def noise(seed: int, n: int = 400):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 4)), rng.integers(0, 2, n)


def titanic():
    X = datasets.load("titanic")
    return X, np.asarray(X.pop("survived"))


def test_the_default_for_classes():
    model = CARTClassifier().fit(*titanic()).model_
    assert (model.loss, model.risk_name, model.cv["loss"]) == ("brier", "entropy", "brier")
    p, y = model.tree.probability, model.tree.moments
    smoothed = (y + 2.0 * y[0] / y[0].sum()) / (y.sum(axis=1, keepdims=True) + 2.0)
    np.testing.assert_allclose(p, smoothed, rtol=1e-12)


@pytest.mark.parametrize(
    ("settings", "loss", "risk", "smoothed"),
    [
        ({"loss": "error"}, "error", None, False),
        ({"loss": "log_loss"}, "log_loss", "entropy", True),
        ({"loss": "log_loss", "ccp_risk": "gini"}, "log_loss", "gini", True),
        ({"costs": [[0, 1], [3, 0]]}, "cost", None, True),
        ({"costs": [[0, 1], [3, 0]], "loss": "error"}, "error", None, False),
        ({"compat": "rpart"}, "error", None, False),
        ({"compat": "rpart", "costs": [[0, 1], [3, 0]]}, "cost", None, False),
        ({"pruning": "cv-1se"}, "brier", "entropy", True),
        ({"pruning": pruners.CostComplexity(loss="log_loss")}, "log_loss", "entropy", True),
        ({"pruning": pruners.CostComplexity(style="rpart")}, "error", None, False),
        ({"pruning": "one_leaf"}, "error", None, False),
        ({"pruning": "one_leaf", "loss": "brier"}, "brier", None, True),
        ({"pruning": "reduced_error"}, "error", None, False),
        ({"pruning": "reduced_error", "loss": "log_loss"}, "log_loss", None, True),
        ({"pruning": "pre_pruning", "loss": "brier"}, "brier", None, True),
        ({"pruning": pruners.CriticalValue(loss="brier")}, "brier", None, True),
        ({"pruning": None}, "error", None, False),
        ({"ccp_alpha": 0.01}, "error", None, False),
        ({"smoothing": None}, "brier", "entropy", False),
    ],
)
def test_which_loss_risk_and_smoothing(settings, loss, risk, smoothed, tmp_path):
    model = CARTClassifier(**settings).fit(*titanic())
    assert (model.model_.loss, model.model_.risk_name) == (loss, risk)
    assert bool(model.tree_.response.smoothing) == smoothed
    model.save(tmp_path / "m.box")
    again = boxwood.load(tmp_path / "m.box")
    assert again.model_.loss == loss
    assert again.model_.to_bytes() == model.model_.to_bytes()


def test_numbers_and_counts_have_one_loss():
    X = datasets.load("computer_hardware")
    y = np.asarray(X.pop("performance"), dtype=float)
    assert CARTRegressor().fit(X, y).model_.loss == "squared_error"
    assert CARTRegressor(loss="squared_error").fit(X, y).model_.loss == "squared_error"
    assert CARTRegressor(criterion="poisson").fit(X, np.round(y)).model_.loss == "poisson"
    with pytest.raises(ParameterError, match="loss must be one of squared_error for a numeric target; got 'poisson'"):
        CARTRegressor(loss="poisson").fit(X, y)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"loss": "cost"}, "loss='cost' needs costs"),
        ({"loss": "accuracy"}, "loss must be one of 'brier'"),
        ({"loss": "brier", "pruning": "mdl"}, "MinimumDescriptionLength evaluates none"),
        ({"smoothing": -1.0}, "smoothing must be"),
    ],
)
def test_refused(settings, words):
    with pytest.raises(ParameterError, match=words):
        CARTClassifier(**settings).fit(*titanic())


def test_a_pruner_knows_its_losses():
    with pytest.raises(ParameterError, match="loss must be one of"):
        pruners.ReducedError(loss="errors")
    assert repr(CostComplexity(loss="log_loss")).endswith("loss='log_loss')")


OF_LEVELS = ("class", "sex", "embarked")


@pytest.mark.parametrize("smoothing", ["laplace", 3.0, 0.0, None])
@pytest.mark.parametrize(
    "kind", [CARTClassifier, C45Classifier, CHAIDClassifier, TreeClassifier, CLSClassifier, ID3Classifier]
)
def test_every_classifier_smooths(kind, smoothing):
    X, y = titanic()
    X = {name: np.where(np.asarray(X[name]) == None, "none", X[name]) for name in OF_LEVELS}  # noqa: E711
    model = kind(smoothing=smoothing, pruning=None).fit(X, y)
    tree = model.tree_
    moments = tree.moments[tree.moments_node]
    pi = tree.moments[0] / tree.moments[0].sum()
    added = np.ones(2) if smoothing == "laplace" else (smoothing or 0.0) * pi
    found = np.delete(tree.probability, np.flatnonzero(tree.rows == 0), axis=0)
    wanted = (moments + added) / (moments + added).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(found, np.delete(wanted, np.flatnonzero(tree.rows == 0), axis=0), rtol=1e-12)


def test_two_methods_of_smoothing_are_one_too_many():
    X, y = titanic()
    with pytest.raises(ParameterError, match="laplace=True or smoothing"):
        C45Classifier(laplace=True, smoothing=2.0).fit(X, y)
    with pytest.raises(ParameterError, match="leaf or smoothing"):
        TreeClassifier(leaf="laplace", smoothing=2.0).fit(X, y)


def test_the_unit_of_weights_changes_no_probability():
    X, y = titanic()
    weight = np.random.default_rng(0).random(len(y)) + 0.5
    one, other = (CARTClassifier().fit(X, y, sample_weight=weight * unit) for unit in (1.0, 0.125))
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), rtol=1e-12)
    assert one.model_.cv["se"] == pytest.approx(other.model_.cv["se"], rel=1e-9)


def test_rare_events_are_ranked():
    from sklearn.metrics import roc_auc_score

    X, y = rare()
    new, truth = rare(seed=2)
    by_errors, model = CARTClassifier(loss="error").fit(X, y), CARTClassifier().fit(X, y)
    assert by_errors.get_n_leaves() == 1
    assert model.get_n_leaves() > 2
    assert roc_auc_score(truth == "event", model.predict_proba(new)[:, 0]) > 0.65
    (remark,) = by_errors.model_.notes
    assert remark.startswith("The tree is a single leaf: no larger tree has a lower error on held-out rows")
    assert "Try loss='brier', or no pruning and leaves of at least 1 % of the rows" in remark
    (remark,) = model.model_.notes
    sizes = f"{model.get_n_leaves()} leaves by the Brier score and 1 by the error"
    assert remark == f"Held-out rows choose {sizes}; use loss='error' if only accuracy matters."


def test_noise_is_a_single_leaf_and_the_note_explains_why():
    models = [CARTClassifier().fit(*noise(seed)) for seed in range(20)]
    single = [model for model in models if model.get_n_leaves() == 1]
    assert len(single) >= 17
    assert single[0].model_.notes[0].startswith("The tree is a single leaf: no larger tree has a lower Brier score")


def test_few_events_need_a_clear_difference():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 3))
    clear = X[:, 0] > np.sort(X[:, 0])[-20]
    assert CARTClassifier().fit(X, clear).get_n_leaves() == 2
    grown = [CARTClassifier().fit(X, rng.permutation(clear)).get_n_leaves() for _ in range(10)]
    assert grown.count(1) == 10


@pytest.mark.parametrize("loss", ["brier", "log_loss", "error"])
def test_streams_choose_as_memory_does(tmp_path, loss):
    pytest.importorskip("pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    X, y = rare(n=1200)
    table = {f"x{j}": np.round(X[:, j], 1) for j in range(4)} | {"y": y}
    pq.write_table(pa.table(table), tmp_path / "t.parquet")
    names = [f"x{j}" for j in range(4)]
    here = CARTClassifier(loss=loss).fit(pa.table(table).select(names), pa.array(y))
    there = CARTClassifier(loss=loss).fit_stream(tmp_path / "t.parquet", target="y")
    assert here.tree_.moments.tolist() == there.tree_.moments.tolist()
    assert here.model_.held_out.tolist() == there.model_.held_out.tolist()


@pytest.mark.parametrize("pruning", ["reduced_error", "pre_pruning", "mdl", pruners.OneLeaf()])
def test_every_pruner_explains_a_single_leaf(pruning):
    X, y = noise(3)
    model = CARTClassifier(pruning=pruning).fit(X, (np.random.default_rng(0).random(len(y)) < 0.05) * 1)
    assert model.get_n_leaves() == 1
    assert model.model_.notes[0].startswith("The tree is a single leaf: ")


def test_rows_of_the_fit_are_weighted_as_in_the_fit():
    X, y = titanic()
    weights = {"yes": 3.0, "no": 1.0}
    pruner = pruners.ErrorBased()
    at_fit = CARTClassifier(pruning=pruner, class_weight=weights, missing="majority").fit(X, y)
    later = CARTClassifier(pruning=None, class_weight=weights, missing="majority").fit(X, y)
    assert later.prune(X, y, pruner=pruner).get_n_leaves() == at_fit.get_n_leaves()
