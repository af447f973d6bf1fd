"""Data that another thread changes during a fit give any tree, or an error: never a crash, and the fit ends."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

import hang_guard

#: While a model is fitted, NaN, ties, another order and other sizes take turns in its data.
RACE = """
    import faulthandler, itertools, threading, warnings
    import numpy as np, pandas as pd, scipy.sparse as sp
    from boxwood import (
        C45Classifier, CARTClassifier, CARTRegressor, CHAIDClassifier, CHAIDRegressor, CLSClassifier, ID3Classifier,
        MARSClassifier, MARSRegressor, TreeClassifier
    )
    faulthandler.dump_traceback_later({limit}, exit=True)
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40_000, 5))
    X[:, 1] = np.round(X[:, 1], 1)
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=len(X))
    c = np.digitize(y, [-1, 1])
    w = rng.random(len(X)) + 0.1
    M = np.where(rng.random(X.shape) < 0.1, np.nan, X)
    N = rng.integers(0, 9, X.shape)
    full, nominal = dict(pruning=None), dict(categorical_features=list(range(5)))

    def turns(data):
        if data.dtype.kind == "i":
            return [data[::-1].copy(), 1000 * data, -data, np.zeros_like(data), data.copy()]
        some = data.copy()
        some[rng.random(data.shape) < 0.2] = np.nan
        far = np.where(rng.random(data.shape) < 0.2, np.inf, 1e300 * data)
        return [data[::-1].copy(), some, 1000 * data, np.round(data, 2), far, np.zeros_like(data), data.copy()]

    def change(data, stop):
        for other in itertools.cycle(turns(data)):
            if stop.is_set():
                return
            np.copyto(data, other)

    def race(fit, data):
        stop = threading.Event()
        thread = threading.Thread(target=change, args=(data, stop))
        thread.start()
        for _ in range({rounds}):
            try:
                fit()
            except Exception:
                pass
        stop.set()
        thread.join()

    {races}
"""
RACES = {
    "cart of numbers": (4, "race(lambda: CARTRegressor(**full).fit(X, y), X)"),
    "cart of classes": (4, "race(lambda: CARTClassifier(**full).fit(X, c), X)"),
    "bins and single precision": (
        2,
        """race(lambda: CARTClassifier(max_bins=3000, **full).fit(X, c), X)
    Z = X.astype(np.float32)
    race(lambda: CARTRegressor(missing='own_branch', **full).fit(Z, y), Z)""",
    ),
    "ranks": (2, "race(lambda: CARTClassifier(max_depth=6).fit(X, c > 0), X)"),
    "missing values": (
        1,
        """for missing in ("surrogate", "learned", "own_branch", "majority", "stay"):
        race(lambda: CARTClassifier(missing=missing, **full).fit(M, c), M)
        race(lambda: CARTRegressor(missing=missing, **full).fit(M, y), M)""",
    ),
    "levels": (
        2,
        """for model in (CARTClassifier, ID3Classifier, CLSClassifier, C45Classifier, CHAIDClassifier):
        race(lambda: model(**nominal).fit(N, c), N)
    race(lambda: CARTRegressor(**nominal, **full).fit(N, y), N)""",
    ),
    "many branches": (
        2,
        """race(lambda: CHAIDRegressor().fit(X, y), X)
    race(lambda: C45Classifier(max_depth=5).fit(X, c), X)
    race(lambda: C45Classifier().fit(M, c, sample_weight=w), w)
    race(lambda: CHAIDClassifier().fit(M, c), c)
    race(lambda: TreeClassifier(termination={"max_depth": 3}).fit(X[:4000], c[:4000]), X)""",
    ),
    "streams": (
        1,
        """F = np.asfortranarray(X)
    def stream(model, target):
        return lambda: model.fit_stream(dict(zip("abcde", F.T), y=target), "y", memory="32MB")
    for model in (CARTClassifier(max_depth=6), CHAIDClassifier(), C45Classifier(raising=False)):
        race(stream(model, c), F)
        race(stream(model, c), c)
    race(stream(CARTRegressor(**full), y), F)
    race(stream(CARTRegressor(**full), y), y)""",
    ),
    "mars": (
        2,
        """Z = np.asfortranarray(X)
    race(lambda: MARSRegressor(max_terms=5, compat='earth').fit(Z, y), Z)
    race(lambda: MARSRegressor(max_terms=5).fit(X, y), X)
    race(lambda: MARSRegressor(max_terms=5).fit(X, y, sample_weight=w), w)
    race(lambda: MARSClassifier(max_terms=5).fit(X, c > 0), X)""",
    ),
    "the response": (
        3,
        """race(lambda: CARTClassifier(**full).fit(X, c), c)
    race(lambda: CARTRegressor(**full).fit(X, y), y)
    race(lambda: CARTRegressor(**full).fit(X, y, sample_weight=w), w)
    race(lambda: CARTClassifier(**full).fit(X, c, sample_weight=w), w)""",
    ),
    "sparse tables": (
        2,
        """D = np.where(rng.random((20_000, 30)) < 0.1, rng.normal(size=(20_000, 30)), 0)
    for S in (sp.csr_matrix(D), sp.csc_matrix(D)):
        shared = CARTClassifier(**full).fit(S, D[:, 0] > 0)
        for part in (S.indices, S.indptr, S.data):
            race(lambda: CARTClassifier(**full).fit(S, D[:, 0] > 0), part)
            race(lambda: shared.predict(S), part)
            race(lambda: MARSRegressor(max_terms=5).fit(S, y[:20_000]), part)""",
    ),
    "codes of categories": (
        4,
        """codes = rng.integers(0, 9, len(c)).astype(np.int8)
    F = pd.DataFrame({"a": pd.Categorical.from_codes(codes, list("abcdefghi"))})
    inside = F["a"].array._ndarray
    for model in (CARTClassifier, ID3Classifier, CLSClassifier, C45Classifier, CHAIDClassifier, MARSClassifier):
        shared = model().fit(F, c > 0)
        race(lambda: model().fit(F, c > 0), inside)
        race(lambda: shared.predict(F), inside)
    race(lambda: CARTClassifier(max_depth=5).fit_stream(F.assign(y=c), "y"), inside)""",
    ),
    "predictions": (
        2,
        """model, shared = CARTRegressor(**full).fit(X, y), C45Classifier().fit(M, c)
    spline = MARSRegressor(max_terms=5).fit(X, y)
    race(lambda: model.predict(X), X)
    race(lambda: shared.predict_proba(M), M)
    race(lambda: spline.predict(X), X)
    Z = X[:300].copy()
    race(lambda: model.shap_values(Z), Z)""",
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("what", RACES)
def test_data_changed_during_a_fit_give_a_tree_or_an_error(what):
    rounds, races = RACES[what]
    script = RACE.format(limit=hang_guard.LIMIT / 2, rounds=rounds, races=races)
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
