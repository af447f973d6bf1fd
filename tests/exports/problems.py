"""Fitted models of every kind, and rows that reach the corners of what an export can be given."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache

import numpy as np

from boxwood import (
    BoxwoodWarning,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    CHAIDRegressor,
    CLSClassifier,
    ID3Classifier,
)
from boxwood.data.columns.columns import Columns
from boxwood.data.columns.schema import NUMERIC
from boxwood.model.tree_model import TreeModel

CITIES = ["Ulm", "京都", 'Bad "Ort"', "O'Hara */", "", "a\\b", "SELECT; --", "two\nlines", "%d {0} ${x}", "ulm", "Ulm "]
#: Names of features: quotation marks, keywords, a comment's end, other scripts, and one that hides another.
SIZE, HEIGHT, CITY, FLAG, GRADE, CODE = 'size "a" */', "高さ", "from", "it's", "x\\n", "__proto__"


@dataclass(frozen=True)
class Case:
    """A fitted model, and rows that were and were not in training."""

    model: TreeModel
    columns: Columns


def table(n: int, seed: int, gaps: bool = True) -> dict[str, list]:
    """Numbers, whole numbers, texts, truth values and numbers that are names."""
    rng = np.random.default_rng(seed)
    rows = {
        SIZE: rng.normal(size=n).round(1).tolist(),
        HEIGHT: rng.integers(-5, 6, n).tolist(),
        CITY: [CITIES[i] for i in rng.integers(0, len(CITIES), n)],
        FLAG: [bool(v) for v in rng.integers(0, 2, n)],
        CODE: [[3, 17, 40, 170][i] for i in rng.integers(0, 4, n)],
    }
    if gaps:
        for name, values in rows.items():
            rows[name] = [None if lost else v for lost, v in zip(rng.random(n) < 0.12, values, strict=True)]
    return rows


def classes(rows: dict[str, list], seed: int) -> list[str]:
    """Three classes with names that need quoting."""
    return [["no", "是 'x'", 'may"be\\'][int(v)] for v in np.digitize(signal(rows, seed), [-0.5, 2.0])]


def signal(rows: dict[str, list], seed: int) -> np.ndarray:
    """A number that hangs on all features, and noise."""
    size = np.array([1.7 if v is None else v for v in rows[SIZE]])
    height = np.array([0.0 if v is None else v for v in rows[HEIGHT]])
    city = np.array([1.5 if v is None else CITIES.index(v) % 4 for v in rows[CITY]])
    flag = np.array([0.3 if v is None else v for v in rows[FLAG]])
    code = np.array([0.0 if v is None else v / 60 for v in rows[CODE]])
    noise = np.random.default_rng(seed).normal(scale=0.4, size=len(size))
    return size * (city > 1) + 0.3 * height + city - 2.0 * flag * (height > 0) + code + noise


MODELS = {
    "surrogates": lambda X, y: CARTClassifier(pruning=None, max_depth=6, categorical_features=[CITY, FLAG, CODE]),
    "learned": lambda X, y: CARTClassifier(pruning=None, max_depth=5, missing="learned"),
    "majority": lambda X, y: CARTClassifier(pruning=None, max_depth=5, missing="majority", unseen="majority"),
    "branch": lambda X, y: CARTClassifier(pruning=None, max_depth=5, missing="own_branch", unseen="stay"),
    "stay": lambda X, y: CARTClassifier(pruning=None, max_depth=5, missing="surrogate_or_stay", max_surrogates=1),
    "refuses unseen": lambda X, y: CARTClassifier(pruning=None, max_depth=5, unseen="error"),
    "refuses gaps": lambda X, y: CARTClassifier(pruning=None, max_depth=5, missing="error", unseen="error"),
    "costs": lambda X, y: CARTClassifier(pruning=None, max_depth=4, costs=[[0, 1, 2], [3, 0, 1], [1, 5, 0]]),
    "means": lambda X, y: CARTRegressor(pruning=None, max_depth=6),
    "rates": lambda X, y: CARTRegressor(pruning=None, max_depth=4, criterion="poisson"),
    "cls": lambda X, y: CLSClassifier(missing="own_branch"),
    "id3": lambda X, y: ID3Classifier(missing="majority"),
    "id3 majority": lambda X, y: ID3Classifier(missing="fractional", unseen="majority"),
    "c45": lambda X, y: C45Classifier(),
    "c45 deep": lambda X, y: C45Classifier(pruning=None, group_levels=True, unseen="stay"),
    "chaid": lambda X, y: CHAIDClassifier(min_samples_split=20, min_samples_leaf=8),
    "chaid missing": lambda X, y: CHAIDClassifier(min_samples_split=20, min_samples_leaf=8, unseen="missing"),
    "chaid means": lambda X, y: CHAIDRegressor(min_samples_split=20, min_samples_leaf=8, unseen="majority"),
}
NAMES = tuple(MODELS)


@cache
def case(kind: str, n: int = 400) -> Case:
    """A fitted model of a kind, with rows on and beside its cuts."""
    rows = table(n, 7, gaps=kind != "refuses gaps")
    y = classes(rows, 1)
    if kind in ("cls", "id3", "id3 majority"):
        rows = {name: rows[name] for name in (CITY, FLAG)}
    if "means" in kind:
        y = signal(rows | table(n, 7), 1).tolist()
    if kind == "rates":
        y = np.floor(np.abs(signal(rows, 1))).tolist()
    estimator = MODELS[kind](rows, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BoxwoodWarning)
        estimator.fit(rows, y)
    return Case(estimator.model_, corners(estimator.model_, rows))


@cache
def plain_case(kind: str, n: int = 400) -> Case:
    """The same with names that every database takes."""
    rows = table(n, 7, gaps=kind != "refuses gaps")
    plain = {SIZE: "size", HEIGHT: "height", CITY: "city", FLAG: "flag", CODE: "code"}
    towns = {town: f"town {i}" for i, town in enumerate(CITIES)} | {None: None}
    y = signal(rows, 1).tolist() if "means" in kind else classes(rows, 1)
    y = [{"是 'x'": "yes", 'may"be\\': "may'be"}.get(v, v) for v in y]
    rows = {plain[name]: values for name, values in rows.items()} | {"city": [towns[v] for v in rows[CITY]]}
    estimator = MODELS[kind](rows, y)
    if estimator.get_params().get("categorical_features") == [CITY, FLAG, CODE]:
        estimator.set_params(categorical_features=["city", "flag", "code"])
    return Case(estimator.fit(rows, y).model_, corners(estimator.model_, rows))


def corners(model: TreeModel, rows: dict[str, list]) -> Columns:
    """Rows of training, and rows whose values are cuts, their neighbours, gaps, infinities and levels never seen."""
    from boxwood.data.frames.frame import read_columns

    tree, rng = model.tree, np.random.default_rng(3)
    known = read_columns(rows, tree.schema)
    n = 600
    values, low = [], []
    for j, feature in enumerate(tree.schema):
        if feature.kind == NUMERIC:
            cuts = np.concatenate([tables.breaks_of(s) for tables in (tree.splits, tree.surrogates)
                                   for s in np.flatnonzero(tables.feature == j)] or [np.zeros(1)])  # fmt: skip
            far = np.array([np.inf, -np.inf, np.nan, np.nan, 1e300, -1e300, 5e-324, 0.0, -0.0])
            pool = np.concatenate([cuts, np.nextafter(cuts, np.inf), np.nextafter(cuts, -np.inf), far])
            new = rng.choice(pool, n)
        else:
            new = rng.integers(-2, len(feature.levels), n).astype(np.int32)
        values.append(np.concatenate([known.values[j], new]))
        low.append(None if known.low[j] is None else np.concatenate([known.low[j], np.zeros(n)]))
    return Columns(tree.schema, known.n + n, tuple(values), tuple(low), {})
