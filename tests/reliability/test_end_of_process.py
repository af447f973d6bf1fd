"""Daemon threads inside the kernel while the interpreter ends: the process ends well and without a word."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

#: Daemon threads are inside the kernel when the main thread returns.
LEAVE = """
    import threading, time, warnings
    import numpy as np
    from boxwood import C45Classifier, CARTClassifier, CHAIDClassifier, MARSRegressor
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50_000, 8))
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=len(X))
    c = (y > 0).astype(int)
    model = CARTClassifier(pruning=None, max_depth=6).fit(X, c)

    def work():
        while True:
            {work}

    for _ in range(3):
        threading.Thread(target=work, daemon=True).start()
    time.sleep(0.4)
"""
WORK = [
    "CARTClassifier(pruning=None).fit(X, c)",
    "CHAIDClassifier().fit(X, c)",
    "C45Classifier().fit(X, c)",
    "MARSRegressor(max_terms=5).fit(X, y)",
    "model.predict(X)",
]


@pytest.mark.long
@pytest.mark.parametrize("work", WORK)
def test_daemon_threads_inside_the_kernel_do_not_disturb_the_end(work):
    for _ in range(2):
        script = textwrap.dedent(LEAVE.format(work=work))
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
