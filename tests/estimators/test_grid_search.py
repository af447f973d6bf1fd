"""A search over parameters: every candidate is a fit of its own, and nothing of it stays behind."""

from __future__ import annotations

import gc
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from boxwood import CARTClassifier
from boxwood.model.tree_model import TreeModel

GRID = {"max_depth": [2, 5, None], "min_samples_leaf": [1, 20]}


def table(n: int = 600, p: int = 6):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, p))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n) > 0).astype(int)


@pytest.mark.parametrize("pruning", [None, "cv"])
def test_a_search_finds_what_fits_of_their_own_find(pruning):
    X, y = table()
    before = pickle.dumps((X, y))
    model, cut = CARTClassifier(pruning=pruning), StratifiedKFold(3)
    search = GridSearchCV(model, GRID, cv=cut).fit(X, y)
    assert pickle.dumps((X, y)) == before
    with pytest.raises(NotFittedError):
        model.predict(X)
    for k, wanted in enumerate(search.cv_results_["params"]):
        for f, (rows, others) in enumerate(cut.split(X, y)):
            alone = CARTClassifier(pruning=pruning, **wanted).fit(X[rows].copy(), y[rows].copy())
            assert search.cv_results_[f"split{f}_test_score"][k] == alone.score(X[others], y[others])
    best = CARTClassifier(pruning=pruning, **search.best_params_).fit(X, y)
    assert search.best_estimator_.model_.to_bytes() == best.model_.to_bytes()


def test_a_clone_shares_nothing_with_its_model():
    X, y = table()
    first = CARTClassifier(pruning=None).fit(X, y)
    kept = first.model_.to_bytes()
    second = clone(first).set_params(max_depth=2).fit(X, 1 - y)
    third = clone(first).fit(X, y)
    assert second.get_depth() == 2
    assert first.get_params()["max_depth"] is None
    assert first.model_.to_bytes() == kept == third.model_.to_bytes()
    X[:] = 0.0
    y[:] = 0
    assert first.model_.to_bytes() == third.model_.to_bytes() == kept


def resident() -> int:
    """Bytes of memory that this process holds just now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the memory of this process from /proc")
@pytest.mark.parametrize("pruning", [None, "cv"])
def test_many_fits_leave_nothing_behind(pruning):
    # The codes of one fit take 240 kB, its ranks 480 kB; twenty fits that left them would take 14 MB.
    X, y = table(12_000, 10)
    settings = {"max_depth": 6, "min_samples_leaf": 5, "n_jobs": 1}

    def fits(times: int) -> int:
        for k in range(times):
            CARTClassifier(pruning=pruning, **settings).fit(X, y).predict(X[k : k + 1])
        gc.collect()
        return resident()

    start = fits(5)
    assert fits(20) - start < 3_000_000
    assert not [found for found in gc.get_objects() if isinstance(found, TreeModel) and found.tree.rows[0] == len(X)]
