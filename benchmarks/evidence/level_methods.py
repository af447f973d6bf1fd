"""The trees beside each other where a nominal column has many levels: boxwood's, and those of other libraries."""

from __future__ import annotations

import importlib.util

import numpy as np
import pandas as pd

from benchmarks.evidence.methods import Method, Predicted, Task, rpart
from benchmarks.libraries.bench_rpart import LIBRARY as RPART

#: Alphas that cross-validation chooses from, and its folds.
ALPHAS, INNER_FOLDS = 8, 3


def _each(task: Task, train) -> list[Predicted]:
    """Run a library that trains on some rows: (X, y) -> (X -> probabilities or means, their classes, leaves)."""
    found = []
    for learn, test in task.splits:
        predict, classes, leaves = train(task.X.iloc[learn], task.y[learn])
        predicted = np.asarray(predict(task.X.iloc[test]), dtype=float).reshape(len(test), -1)
        proba = np.zeros((len(test), task.n_classes))
        proba[:, classes] = predicted
        found.append(Predicted(proba, leaves))
    return found


def _boxwood(corrects: bool):
    def train(X, y):
        from boxwood import CARTClassifier, CARTRegressor

        if y.dtype.kind == "f":
            numbers = CARTRegressor(n_jobs=1, level_correction=corrects).fit(X, y)
            return numbers.predict, [0], numbers.get_n_leaves()
        model = CARTClassifier(n_jobs=1, level_correction=corrects).fit(X, y)
        return model.predict_proba, list(model.classes_), model.get_n_leaves()

    return lambda task: _each(task, train)


def _codes(X: pd.DataFrame) -> np.ndarray:
    """Levels as numbers in their order."""
    columns = [X[name].cat.codes if X[name].dtype == "category" else X[name] for name in X.columns]
    values = np.column_stack([np.asarray(column, dtype=float) for column in columns])
    nominal = [X[name].dtype == "category" for name in X.columns]
    values[:, nominal] = np.where(values[:, nominal] < 0, np.nan, values[:, nominal])
    return values


def _sklearn(task: Task) -> list[Predicted]:
    """Levels as codes, pruned by the alpha with the least Brier score or squared error of held-out rows."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    def train(X, y):
        values, number = _codes(X), y.dtype.kind == "f"
        tree = (DecisionTreeRegressor if number else DecisionTreeClassifier)(random_state=0)
        alphas = np.unique(np.maximum(tree.cost_complexity_pruning_path(values, y).ccp_alphas, 0.0))
        tried = np.quantile(alphas, 1.0 - np.geomspace(1e-3, 1.0, ALPHAS), method="nearest")
        score = "neg_mean_squared_error" if number else "neg_brier_score" if y.max() == 1 else "neg_log_loss"
        search = GridSearchCV(tree, {"ccp_alpha": np.unique(tried)}, scoring=score, cv=INNER_FOLDS)
        best = search.fit(values, y).best_estimator_
        leaves = int(best.get_n_leaves())
        if number:
            return lambda new: best.predict(_codes(new)), [0], leaves
        return lambda new: best.predict_proba(_codes(new)), list(best.classes_), leaves

    return _each(task, train)


def _lightgbm(task: Task) -> list[Predicted]:
    """One tree of 31 leaves at a learning rate of 1; leaves of 20 rows or more."""
    from lightgbm import LGBMClassifier, LGBMRegressor

    def train(X, y):
        number = y.dtype.kind == "f"
        model = (LGBMRegressor if number else LGBMClassifier)(n_estimators=1, learning_rate=1.0, n_jobs=1, verbose=-1)
        plain = dict(zip(X.columns, (f"x{j}" for j in range(X.shape[1])), strict=True))
        model.fit(X.rename(columns=plain), y)
        leaves = sum(tree["num_leaves"] for tree in model.booster_.dump_model()["tree_info"])
        predict = model.predict if number else model.predict_proba
        return lambda new: predict(new.rename(columns=plain)), [0] if number else list(model.classes_), leaves

    return _each(task, train)


def _installed(package: str):
    return lambda: None if importlib.util.find_spec(package) else "not installed"


LEVEL_METHODS = {
    "off": Method("`level_correction=False`", lambda: None, _boxwood(False), ours=True),
    "on": Method("`level_correction=True`", lambda: None, _boxwood(True), ours=True),
    "rpart": Method("rpart", RPART.absent, rpart),
    "sklearn": Method("scikit-learn, pruned by folds", _installed("sklearn"), _sklearn),
    "lightgbm": Method("LightGBM, one tree", _installed("lightgbm"), _lightgbm),
}
