"""Times whole `predict` calls of fitted trees, paired with scikit-learn's DecisionTree, and prints a table.

Usage: python benchmarks/predict.py [--rows 1000000] [--threads 2] [--rounds 7] [--only TEXT]

scikit-learn gets its best case: float32 for plain and missing values, and nominal features as codes that somebody has
made already. boxwood gets float64, or a pandas frame with categories; what it does to read them is inside its time.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

LEVELS = 12


@dataclass(frozen=True)
class Pair:
    """Two calls that predict the same number of rows.

    Attributes
    ----------
    name : str
    leaves : int
        Of boxwood's tree; the other has about as many.
    ours, theirs : callable
    """

    name: str
    leaves: int
    ours: Callable[[], object]
    theirs: Callable[[], object]


def learning_set(n: int) -> tuple[np.ndarray, np.ndarray]:
    """20 continuous columns and noisy labels."""
    rng = np.random.default_rng(0)
    X = rng.random((n, 20))
    score = (X - 0.5) @ rng.normal(size=20) + (X[:, 0] > 0.5) * X[:, 1] * 2 + 0.7 * rng.normal(size=n)
    return X, (score > np.median(score)).astype(np.int64)


def pairs(n: int, threads: int) -> Iterator[Pair]:
    """Every problem, one after the other."""
    X, y = learning_set(n)
    holes = X.copy()
    holes[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    for depth in (8, None):
        rows = min(n, 300_000)
        yield from plain(X, y, rows, depth, threads)
        yield missing(holes, y, min(n, 100_000), depth, threads, "majority")
        yield missing(holes, y, min(n, 100_000), depth, threads, "surrogate")
    yield from nominal(n, threads)
    yield from many_classes(n, threads)


def plain(X, y, rows: int, depth: int | None, threads: int) -> Iterator[Pair]:
    """Continuous columns, nothing missing: classes, probabilities and nodes."""
    ours, theirs = fitted(X[:rows], y[:rows], depth, threads, missing="majority")
    narrow, leaves, where = X.astype(np.float32), ours.get_n_leaves(), f"depth {depth or 'free'}"
    yield Pair(f"{where}: predict, float64", leaves, lambda: ours.predict(X), lambda: theirs.predict(narrow))
    yield Pair(f"{where}: predict, float32", leaves, lambda: ours.predict(narrow), lambda: theirs.predict(narrow))
    yield Pair(f"{where}: predict_proba", leaves, lambda: ours.predict_proba(X), lambda: theirs.predict_proba(narrow))
    yield Pair(f"{where}: apply", leaves, lambda: ours.apply(X), lambda: theirs.apply(narrow))


def missing(X, y, rows: int, depth: int | None, threads: int, policy: str) -> Pair:
    """A tenth of all cells is missing."""
    ours, theirs = fitted(X[:rows], y[:rows], depth, threads, missing=policy)
    narrow = X.astype(np.float32)
    name = f"depth {depth or 'free'}: 10 % missing, {policy}"
    return Pair(name, ours.get_n_leaves(), lambda: ours.predict(X), lambda: theirs.predict(narrow))


def nominal(n: int, threads: int) -> Iterator[Pair]:
    """15 continuous columns and 5 of 12 levels each, as a frame and as an array of codes."""
    X, codes, y = with_levels(n)
    table, frame = np.column_stack([X, codes]), frame_of(X, codes)
    narrow, rows = table.astype(np.float32), min(n, 100_000)
    for depth in (8, None):
        ours, theirs = fitted(table[:rows], y[:rows], depth, threads, categorical_features=list(range(15, 20)))
        of_frame, _ = fitted(frame[:rows], y[:rows], depth, threads, peer=False)
        leaves, name = ours.get_n_leaves(), f"depth {depth or 'free'}: 5 nominal"
        theirs = partial(theirs.predict, narrow)
        yield Pair(f"{name}, frame", leaves, partial(of_frame.predict, frame), theirs)
        yield Pair(f"{name}, array", leaves, partial(ours.predict, table), theirs)
    holes = frame.mask(np.random.default_rng(1).random(frame.shape) < 0.1)
    coded = pd_codes(holes)
    ours, _ = fitted(holes[:rows], y[:rows], 8, threads, peer=False)
    _, theirs = fitted(coded[:rows], y[:rows], 8, threads)
    name = "depth 8: 5 nominal, 10 % missing, surrogate"
    yield Pair(name, ours.get_n_leaves(), partial(ours.predict, holes), partial(theirs.predict, coded))
    yield encoded(frame, y, rows, threads)


def encoded(frame, y, rows: int, threads: int) -> Pair:
    """The same frame of categories for both: the peer needs an encoder before its tree."""
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OrdinalEncoder
    from sklearn.tree import DecisionTreeClassifier

    ours, _ = fitted(frame[:rows], y[:rows], 8, threads, peer=False)
    levels = [name for name in frame if name.startswith("c")]
    coder = make_column_transformer((OrdinalEncoder(), levels), remainder="passthrough")
    theirs = make_pipeline(coder, DecisionTreeClassifier(max_depth=8, random_state=0)).fit(frame[:rows], y[:rows])
    name = "depth 8: 5 nominal, frame for both, the peer behind OrdinalEncoder"
    return Pair(name, ours.get_n_leaves(), partial(ours.predict, frame), partial(theirs.predict, frame))


def with_levels(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Numbers, codes of levels, and classes that depend on both."""
    rng = np.random.default_rng(2)
    X, codes, effect = rng.normal(size=(n, 15)), rng.integers(0, LEVELS, (n, 5)), rng.normal(size=(5, LEVELS))
    score = X[:, 0] + X[:, 1] * X[:, 2] + effect[np.arange(5), codes].sum(axis=1) + rng.normal(size=n)
    return X, codes, (score > 0).astype(np.int64)


def frame_of(X: np.ndarray, codes: np.ndarray):
    """A pandas frame with the codes as categories."""
    import pandas as pd

    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    for j in range(codes.shape[1]):
        frame[f"c{j}"] = pd.Categorical.from_codes(codes[:, j], [f"level {v}" for v in range(LEVELS)])
    return frame


def pd_codes(frame) -> np.ndarray:
    """A frame as float32, categories as their codes, NaN where a value is missing."""
    columns = [frame[name].cat.codes.replace(-1, np.nan) if name.startswith("c") else frame[name] for name in frame]
    return np.column_stack([np.asarray(column, dtype=np.float32) for column in columns])


def many_classes(n: int, threads: int) -> Iterator[Pair]:
    """100 classes: labels and probabilities."""
    X = learning_set(n)[0]
    y, narrow, rows = (10 * np.floor(10 * X[:, 0]) + np.floor(10 * X[:, 1])).astype(int), X.astype(np.float32), 50_000
    ours, theirs = fitted(X[:rows], y[:rows], 8, threads)
    leaves = ours.get_n_leaves()
    yield Pair("depth 8, 100 classes: predict", leaves, partial(ours.predict, X), partial(theirs.predict, narrow))
    proba = partial(theirs.predict_proba, narrow)
    yield Pair("depth 8, 100 classes: predict_proba", leaves, partial(ours.predict_proba, X), proba)


def fitted(X, y, depth: int | None, threads: int, peer: bool = True, **settings):
    """A tree of each library, with about the same number of leaves."""
    from sklearn.tree import DecisionTreeClassifier

    from boxwood import CARTClassifier

    ours = CARTClassifier(pruning=None, max_depth=depth, n_jobs=threads, **settings).fit(X, y)
    theirs = DecisionTreeClassifier(max_depth=depth, random_state=0)
    return ours, theirs.fit(np.asarray(X, dtype=np.float32), y) if peer else None


def seconds(call: Callable[[], object]) -> float:
    """Wall time of one call."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def main() -> None:
    """Time every pair, ours and theirs in turn, and print medians and the median of ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="", help="only problems whose name holds this text")
    options = parser.parse_args()
    print("| problem | leaves | boxwood, ms | scikit-learn, ms | ratio |\n| --- | --- | --- | --- | --- |")
    for pair in pairs(options.rows, options.threads):
        if options.only not in pair.name:
            continue
        pair.ours(), pair.theirs()
        times = [(seconds(pair.ours), seconds(pair.theirs)) for _ in range(options.rounds)]
        ours, theirs = (1e3 * statistics.median(column) for column in zip(*times, strict=True))
        ratio = statistics.median(b / a for a, b in times)
        print(f"| {pair.name} | {pair.leaves} | {ours:.1f} | {theirs:.1f} | {ratio:.1f} |", flush=True)


if __name__ == "__main__":
    main()
