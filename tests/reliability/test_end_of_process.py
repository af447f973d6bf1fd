"""Threads that fit or predict while the interpreter ends: daemon threads do not disturb it, others end their work."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

DATA = """
    import atexit, threading, time, warnings
    from concurrent.futures import ThreadPoolExecutor
    import numpy as np
    from boxwood import (
        C45Classifier, C45Rules, CARTClassifier, CARTRegressor, CHAIDClassifier, CHAIDRegressor, CLSClassifier,
        ID3Classifier, MARSClassifier, MARSRegressor, TreeClassifier, compare
    )
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50_000, 8))
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=len(X))
    c = (y > 0).astype(int)
    M = np.where(rng.random(X.shape) < 0.1, np.nan, X)
    N = rng.integers(0, 9, X.shape)
    nominal = dict(categorical_features=list(range(8)))
    table = dict(zip("abcdefgh", X.T), y=c)
"""
#: Daemon threads are inside the kernel when the main thread returns.
LEAVE = (
    DATA
    + """
    model = {model}

    def work():
        while True:
            {work}

    for _ in range(3):
        threading.Thread(target=work, daemon=True).start()
    time.sleep(0.4)
"""
)
CART = "CARTClassifier(pruning=None, max_depth=6).fit(X, c)"
WORK = {
    "CARTClassifier().fit(X, c)": "None",
    "CARTClassifier(pruning=None).fit(X, c)": "None",
    "CARTRegressor(pruning=None).fit(M, y)": "None",
    "CARTClassifier(pruning=None, **nominal).fit(N, c)": "None",
    "CHAIDClassifier().fit(X, c)": "None",
    "CHAIDRegressor().fit(M, y)": "None",
    "C45Classifier().fit(M, c)": "None",
    "C45Rules().fit(X[:2000], c[:2000])": "None",
    "ID3Classifier(**nominal).fit(N, c)": "None",
    "CLSClassifier(**nominal).fit(N, c)": "None",
    "TreeClassifier(termination={'max_depth': 3}).fit(X, c)": "None",
    "MARSRegressor(max_terms=5).fit(X, y)": "None",
    "MARSClassifier(max_terms=5).fit(X, c)": "None",
    "CARTClassifier().fit_stream(table, 'y')": "None",
    "CHAIDClassifier().fit_stream(table, 'y', memory='32MB')": "None",
    "C45Classifier(raising=False).fit_stream(table, 'y')": "None",
    "model.predict(X)": CART,
    "model.shap_values(X[:1000])": CART,
    "(model.routing(X).count(), model.evaluate(X, c))": CART,
    "model.predict(M)": "C45Classifier().fit(M[:9000], c[:9000])",
    "model.predict(N)": "MARSRegressor(max_terms=5).fit(X, y)",
}


def ended(script: str, folder: Path) -> subprocess.CompletedProcess:
    """A process that has run a script; the code caches that daemon threads leave behind are in a folder of its own."""
    command = [sys.executable, "-c", script]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | {"TMPDIR": str(folder)}
    )


@pytest.mark.long
@pytest.mark.parametrize("work", WORK)
def test_daemon_threads_inside_the_kernel_do_not_disturb_the_end(work, tmp_path):
    script = textwrap.dedent(LEAVE.format(work=work, model=WORK[work]))
    done = ended(script, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


#: The main thread returns while others fit; Python waits for them, and for pools, but gives pools no new work.
STAY = (
    DATA
    + """
    fits = {{
        "fit": lambda: CARTClassifier(n_jobs=2).fit(X, c),
        "stream": lambda: CARTClassifier(n_jobs=2).fit_stream(table, "y"),
        "compare": lambda: compare(X[:3000], c[:3000], {{"cart": CARTClassifier(max_depth=3)}}, folds=3, n_jobs=2),
    }}
    finished = []
    atexit.register(lambda: print(*sorted(finished)))

    def work(name):
        time.sleep(0.3)  # until the main thread has returned
        fits[name]()
        finished.append(name)

    {start}
"""
)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "start",
    [
        "for name in fits: threading.Thread(target=work, args=(name,)).start()",
        "pool = ThreadPoolExecutor(3); waiting = [pool.submit(work, name) for name in fits]",
    ],
    ids=["threads", "pool"],
)
def test_fits_end_well_after_the_main_thread_has_returned(start, tmp_path):
    script = textwrap.dedent(STAY.format(start=start))
    done = ended(script, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "compare fit stream\n", "")
