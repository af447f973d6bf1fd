"""Jobs after the fit: predictions, paths and Shapley values."""

from __future__ import annotations

from benchmarks import predict
from benchmarks.job import Calls, job, of_classes
from benchmarks.problems import two_classes


def _predict(name: str, n: int = 1_000_000) -> Calls:
    pair = next(pair for pair in predict.pairs(n, 1) if pair.name == name)
    return pair.ours, pair.theirs


@job("predict, depth 8, 1,000,000 x 20", "scikit-learn, float32")
def predict_shallow() -> Calls:
    return _predict("depth 8: predict, float64")


@job("predict, 34,000 leaves, 1,000,000 x 20", "scikit-learn, float32")
def predict_deep() -> Calls:
    return _predict("depth free: predict, float64")


def _polars(n: int, times: int) -> Calls:
    """Predictions for a polars frame of so many rows, again and again."""
    import polars as pl
    from sklearn.tree import DecisionTreeClassifier

    from boxwood import CARTClassifier

    X, y = two_classes(2_000)
    frame = pl.DataFrame(X, schema=[f"x{j}" for j in range(X.shape[1])])
    ours = CARTClassifier(pruning=None, max_surrogates=0, n_jobs=1).fit(frame, y)
    theirs, rows = DecisionTreeClassifier(random_state=0).fit(frame, y), frame[:n]
    return lambda: [ours.predict(rows) for _ in range(times)], lambda: [theirs.predict(rows) for _ in range(times)]


@job("predict a polars frame of 1 row, 1,000 times", "scikit-learn")
def polars_row() -> Calls:
    return _polars(1, 1_000)


@job("predict a polars frame of 1,000 rows, 1,000 times", "scikit-learn")
def polars_rows() -> Calls:
    return _polars(1_000, 1_000)


def _many_classes(method: str, classes: int, n: int) -> Calls:
    X, y = of_classes(classes, n)
    ours, theirs = predict.fitted(X[:20_000], y[:20_000], 8, 1)
    return lambda: getattr(ours, method)(X), lambda: getattr(theirs, method)(X)


@job("predict_proba, 200 classes, 100,000 rows", "scikit-learn")
def probabilities() -> Calls:
    return _many_classes("predict_proba", 200, 100_000)


@job("decision_path, depth 8, 50,000 rows", "scikit-learn")
def paths() -> Calls:
    return _many_classes("decision_path", 2, 50_000)


def _shap(leaves: int, background: int, rows: int) -> Calls:
    import shap
    from sklearn.tree import DecisionTreeClassifier

    from boxwood import CARTClassifier

    X, y = two_classes(20_000)
    model = CARTClassifier(pruning=None, max_leaf_nodes=leaves, n_jobs=1).fit(X, y)
    data = X[:background] if background else None
    perturbation = "interventional" if background else "tree_path_dependent"
    tree = DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0).fit(X, y)
    explainer = shap.TreeExplainer(tree, data=data, feature_perturbation=perturbation)
    return lambda: model.shap_values(X[:rows], background=data), lambda: explainer.shap_values(X[:rows])


@job("Shapley values by paths, 200 leaves, 5,000 rows", "shap")
def shapley_paths() -> Calls:
    return _shap(200, 0, 5_000)


@job("Shapley values of 1 row by paths, 200 leaves, 1,000 times", "shap")
def shapley_row() -> Calls:
    ours, theirs = _shap(200, 0, 1)
    return lambda: [ours() for _ in range(1_000)], lambda: [theirs() for _ in range(1_000)]


@job("Shapley values by 100 background rows, 1,000 rows", "shap")
def shapley_background() -> Calls:
    return _shap(200, 100, 1_000)
