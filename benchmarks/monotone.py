"""Single monotone trees beside scikit-learn, LightGBM and XGBoost at equal leaves: training loss, violations, time.

python benchmarks/monotone.py [rows ...]

20 tables, five sets of constraints each. All programs fit one tree of least squares with at most 8, 32 or 128 leaves.
Violations are sought by pairs of rows that agree in free features and rise in the others, around the thresholds.
"""

import sys
import time
import warnings

import lightgbm
import numpy as np
import xgboost
from sklearn.tree import DecisionTreeRegressor

from boxwood import CARTRegressor

warnings.simplefilter("ignore")
LEAVES = (8, 32, 128)
FEATURES = 6


def tables(n):
    """(name, X, y): effects that are monotone, nearly so, and not at all; correlated features; noise of all sizes."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        shared = rng.normal(size=(n, 1)) * (seed % 4) * 0.5
        X = (rng.normal(size=(n, FEATURES)) + shared).round(2)
        effects = (
            X[:, 0] + 2 * (X[:, 1] > 0) * X[:, 2],
            np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2],
            np.exp(X[:, 0] / 2) - X[:, 1] ** 2 + X[:, 3],
            np.maximum(X[:, 0], X[:, 1]) + np.cos(3 * X[:, 4]) * X[:, 0],
            (X[:, 0] + X[:, 1] > 0) * 2.0 + (X[:, 2] * X[:, 3] > 0),
        )
        yield f"table {seed}", X, effects[seed % 5] + rng.normal(size=n) * (0.3, 1.0, 3.0)[seed % 3]


#: Five sets of constraints.
SETS = ([1, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0], [1, -1, 1, 0, 0, 0], [0, 1, 0, 1, 0, -1], [1, 1, 1, 1, 1, 1])


def boxwood(X, y, signs, leaves):
    model = CARTRegressor(max_leaf_nodes=leaves, pruning=None, monotonic_cst=signs, max_surrogates=0, n_jobs=1)
    return model.fit(X, y)


def scikit_learn(X, y, signs, leaves):
    return DecisionTreeRegressor(max_leaf_nodes=leaves, monotonic_cst=signs, random_state=0).fit(X, y)


def light(method):
    def fit(X, y, signs, leaves):
        return lightgbm.train(
            {"objective": "regression", "num_leaves": leaves, "learning_rate": 1.0, "min_data_in_leaf": 1,
             "min_sum_hessian_in_leaf": 0.0, "monotone_constraints": signs, "monotone_constraints_method": method,
             "max_bin": 10_000, "min_data_in_bin": 1, "verbose": -1, "num_threads": 1, "feature_pre_filter": False},
            lightgbm.Dataset(X, y), num_boost_round=1,
        )  # fmt: skip

    return fit


def extreme(X, y, signs, leaves):
    model = xgboost.XGBRegressor(
        n_estimators=1, learning_rate=1.0, reg_lambda=0.0, min_child_weight=0, grow_policy="lossguide", max_depth=0,
        max_leaves=leaves, tree_method="hist", max_bin=10_000, base_score=float(y.mean()), n_jobs=1,
        monotone_constraints=tuple(signs),
    )  # fmt: skip
    return model.fit(X, y)


PROGRAMS = {
    "boxwood": boxwood, "scikit-learn": scikit_learn, "LightGBM basic": light("basic"),
    "LightGBM intermediate": light("intermediate"), "LightGBM advanced": light("advanced"), "XGBoost": extreme,
}  # fmt: skip


def violations(model, X, signs, rng):
    """Pairs of rows in the wrong order, of 20,000 that are made of values of the data."""
    low = X[rng.integers(0, len(X), 20_000)]
    mixed = rng.random(low.shape) < 0.3
    low = np.where(mixed, X[rng.integers(0, len(X), 20_000)], low)
    other = X[rng.integers(0, len(X), 20_000)]
    signs = np.array(signs)
    moved = (rng.random(low.shape) < 0.5) & (signs != 0)
    high = np.where(moved & (signs * (other - low) > 0), other, low)
    return int((model.predict(high) < model.predict(low) - 1e-6 * (1 + np.abs(low).max())).sum())


def least_time(fit, *given):
    best = np.inf
    for _ in range(3):
        began = time.process_time()
        fit(*given)
        best = min(best, time.process_time() - began)
    return best


def main(sizes):
    for n in sizes:
        loss = {name: [] for name in PROGRAMS}
        wrong, ratio = dict.fromkeys(PROGRAMS, 0), []
        worst = dict.fromkeys(PROGRAMS, 0.0)
        for t, (_, X, y) in enumerate(tables(n)):
            for s, signs in enumerate(SETS):
                leaves = LEAVES[(t + s) % len(LEAVES)]
                for name, fit in PROGRAMS.items():
                    model = fit(X, y, signs, leaves)
                    loss[name].append(float(np.mean((model.predict(X) - y) ** 2) / y.var()))
                    wrong[name] += violations(model, X, signs, np.random.default_rng(t)) > 0
                    worst[name] = max(worst[name], loss["boxwood"][-1] / loss[name][-1])
                free = least_time(boxwood, X, y, None, leaves)
                ratio.append(least_time(boxwood, X, y, signs, leaves) / free)
        print(f"{n} rows; time of an ordered fit by that of a free one: median {np.median(ratio):.2f}, "
              f"90 % {np.quantile(ratio, 0.9):.2f}")  # fmt: skip
        for name in PROGRAMS:
            own, theirs = np.array(loss["boxwood"]), np.array(loss[name])
            lower = int((theirs < own - 1e-9).sum())
            print(
                f"  {name:22} mean loss {theirs.mean():.4f}, lower than boxwood's in {lower:3d} of {len(own)} "
                f"(boxwood at most {worst[name]:.3f} times), trees with violations {wrong[name]}"
            )


if __name__ == "__main__":
    main([int(n) for n in sys.argv[1:]] or [300, 3_000])
