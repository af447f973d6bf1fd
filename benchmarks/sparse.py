"""Trees from sparse tables beside scikit-learn and LightGBM: `python -m benchmarks.sparse` prints the figures.

They are in docs/tables.md.

Processor seconds on one core, the least of five runs that take turns; LightGBM is left out where it is not installed.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable

import numpy as np
import scipy.sparse as sp
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from boxwood import CARTClassifier, CARTRegressor

ROWS, COLUMNS, SHARE, DEPTH, RUNS = 20_000, 2_000, 0.01, 8, 5


def problem(ones: bool, classes: bool) -> tuple[sp.csr_array, np.ndarray]:
    """A table whose cells are ones or uniform numbers, and a target that depends on a tenth of its columns."""
    rng = np.random.default_rng(0)
    values = np.ones if ones else rng.random
    X = sp.random(ROWS, COLUMNS, density=SHARE, format="csr", random_state=1, data_rvs=values)
    effect = 3.0 * rng.normal(size=COLUMNS) * (rng.random(COLUMNS) < 0.1)
    score = X @ effect + 0.3 * rng.normal(size=ROWS)
    return X, (score > np.median(score)).astype(int) if classes else score


def fits(X, y, classes: bool) -> dict[str, Callable]:
    """What is measured, by name."""
    ours, theirs = (CARTClassifier, DecisionTreeClassifier) if classes else (CARTRegressor, DecisionTreeRegressor)
    settings, dense = {"max_depth": DEPTH, "pruning": None, "n_jobs": 1}, X.toarray()
    found = {
        "boxwood": lambda: ours(**settings).fit(X, y),
        "boxwood, no surrogates": lambda: ours(**settings, max_surrogates=0).fit(X, y),
        "scikit-learn": lambda: theirs(max_depth=DEPTH, random_state=0).fit(X, y),
        "boxwood, dense": lambda: ours(**settings).fit(dense, y),
    }
    try:
        import lightgbm
    except ImportError:
        return found
    one_tree = {"n_estimators": 1, "max_depth": DEPTH, "num_leaves": 2**DEPTH - 1, "n_jobs": 1, "verbose": -1}
    kind = lightgbm.LGBMClassifier if classes else lightgbm.LGBMRegressor
    return found | {"LightGBM": lambda: kind(**one_tree).fit(X, y)}


def seconds(run: Callable) -> float:
    """Processor time of one run."""
    began = time.process_time()
    run()
    return time.process_time() - began


def main() -> None:
    """Print the least seconds of each problem and program."""
    warnings.simplefilter("ignore")
    for ones, classes in ((True, True), (False, True), (False, False)):
        measured = fits(*problem(ones, classes), classes)
        times = [[seconds(run) for run in measured.values()] for _ in range(RUNS)]
        print(f"{'ones' if ones else 'numbers'}, {'two classes' if classes else 'a number'}")
        for name, least in zip(measured, np.min(times, axis=0), strict=True):
            print(f"  {name:24} {least:.3f}")


if __name__ == "__main__":
    main()
