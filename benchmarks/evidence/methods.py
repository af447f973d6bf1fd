"""The methods beside each other: boxwood's default, its choice by errors, and the trees of other libraries."""

from __future__ import annotations

import importlib.util
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.libraries.bench_rpart import LIBRARY as RPART
from benchmarks.libraries.bench_rpart import write_columns
from benchmarks.libraries.bench_ydf import as_columns


@dataclass(frozen=True)
class Task:
    """Rows to learn from and rows to predict.

    Attributes
    ----------
    X : DataFrame of shape (n, p)
    y : int64 or float64, shape (n,)
        Classes from 0, or numbers. That of a row that is only predicted is not looked at.
    splits : sequence of (train, test)
        Numbers of rows.
    balanced : bool
        Whether classes are weighted so that each has the same weight.
    """

    X: pd.DataFrame
    y: np.ndarray
    splits: tuple[tuple[np.ndarray, np.ndarray], ...]
    balanced: bool = False

    @property
    def is_number(self) -> bool:
        """Whether the target is a number."""
        return self.y.dtype.kind == "f"

    @property
    def n_classes(self) -> int:
        """Number of classes; 1 for a number, whose mean is predicted in place of probabilities."""
        return 1 if self.is_number else int(self.y.max()) + 1


@dataclass(frozen=True)
class Predicted:
    """Of the rows to predict of a split: probabilities or means of shape (n, K); and the number of leaves."""

    proba: np.ndarray
    leaves: int


@dataclass(frozen=True)
class Method:
    """One column of the page.

    Attributes
    ----------
    title : str
    absent : callable
        () -> why it cannot be used here, or None.
    run : callable
        Task -> predictions for each split.
    ours : bool
        Whether it is boxwood, so that other code gives other figures.
    """

    title: str
    absent: Callable[[], str | None]
    run: Callable[[Task], list[Predicted]]
    ours: bool = False


def _each(task: Task, train: Callable[..., tuple[Callable, list, int]]) -> list[Predicted]:
    """Run a library that trains on some rows: (X, y, balanced) -> (X -> probabilities, their classes, leaves)."""
    found = []
    for learn, test in task.splits:
        predict, classes, leaves = train(task.X.iloc[learn], task.y[learn], task.balanced)
        proba = np.zeros((len(test), task.n_classes))
        proba[:, np.asarray(classes, dtype=int)] = predict(task.X.iloc[test])
        found.append(Predicted(proba, leaves))
    return found


def _boxwood(**parameters) -> Callable[[Task], list[Predicted]]:
    def train(X, y, balanced):
        from boxwood import CARTClassifier

        model = CARTClassifier(class_weight="balanced" if balanced else None, n_jobs=1, **parameters).fit(X, y)
        return model.predict_proba, list(model.classes_), model.get_n_leaves()

    return lambda task: _each(task, train)


def _no_loss() -> str | None:
    from boxwood import CARTClassifier

    return None if "loss" in CARTClassifier().get_params() else "this boxwood has no parameter loss"


def _sklearn(task: Task) -> list[Predicted]:
    """A full tree; nominal columns as indicators of their levels, missing numbers as they are."""
    from sklearn.tree import DecisionTreeClassifier

    def train(X, y, balanced):
        tree = DecisionTreeClassifier(class_weight="balanced" if balanced else None, random_state=0).fit(X, y)
        return tree.predict_proba, list(tree.classes_), int(tree.get_n_leaves())

    numbers = Task(pd.get_dummies(task.X).astype(float), task.y, task.splits, task.balanced)
    return _each(numbers, train)


def _ydf(task: Task) -> list[Predicted]:
    """YDF's CART as it is by default: pruned by a tenth of the rows."""
    import ydf

    ydf.verbose(0)

    def train(X, y, balanced):
        columns = as_columns(X) | {"label of the row": np.char.mod("%d", y)}
        if balanced:
            columns["weight of the row"] = (len(y) / np.bincount(y) / len(np.unique(y)))[y]
        weights = {"weights": "weight of the row"} if balanced else {}
        model = ydf.CartLearner(label="label of the row", num_threads=1, **weights).train(columns)
        classes = model.label_classes()

        def predict(X):
            predicted = model.predict(as_columns(X))
            return np.column_stack((1.0 - predicted, predicted)) if len(classes) == 2 else predicted

        return predict, classes, _leaves(model.get_tree(0).root)

    return _each(task, train)


def _leaves(node) -> int:
    """Leaves below a node of YDF."""
    stack, leaves = [node], 0
    while stack:
        node = stack.pop()
        if node.is_leaf:
            leaves += 1
        else:
            stack += [node.pos_child, node.neg_child]
    return leaves


def rpart(task: Task) -> list[Predicted]:
    """R's rpart with its defaults, all splits in one process."""
    tests = {f".test{i}": np.full(len(task.y), -1.0) for i in range(len(task.splits))}
    for use, (learn, test) in zip(tests.values(), task.splits, strict=True):
        use[learn], use[test] = 0.0, 1.0
    with tempfile.TemporaryDirectory() as home:
        folder, out = Path(home) / "data", Path(home) / "predicted.bin"
        X = task.X.set_axis([f"x{j}" for j in range(task.X.shape[1])], axis=1)  # columns become files
        write_columns(folder, X, **{".y": task.y}, **tests)
        script = Path(__file__).parent / "rpart.R"
        weights = "balanced" if task.balanced else "number" if task.is_number else "one"
        command = ["Rscript", str(script), str(script.parents[1] / "libraries" / "columns.R"), str(folder), str(out)]
        done = subprocess.run([*command, weights], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"rpart stopped: {done.stderr.strip()}")
        numbers = np.fromfile(out)
    found, K = [], task.n_classes
    for _, test in task.splits:
        part, numbers = np.split(numbers, [1 + K * len(test)])
        found.append(Predicted(part[1:].reshape(K, -1).T, int(part[0])))
    return found


def _needs(package: str) -> Callable[[], str | None]:
    return lambda: None if importlib.util.find_spec(package) else "not installed"


#: By the name under which figures are kept. "before" is filled by a run with the boxwood of an older commit.
METHODS = {
    "before": Method("before", lambda: "of an older commit, see --before", _boxwood(), ours=True),
    "error": Method('`loss="error"`', _no_loss, _boxwood(loss="error"), ours=True),
    "after": Method("after", lambda: None, _boxwood(), ours=True),
    "rpart": Method("rpart", RPART.absent, rpart),
    "sklearn": Method("scikit-learn, full", lambda: None, _sklearn),
    "ydf": Method("YDF CART", _needs("ydf"), _ydf),
}
