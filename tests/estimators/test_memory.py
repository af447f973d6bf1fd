"""What a fit takes beside its data: the peak of a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

MEASURE = """
import sys
import numpy as np
import boxwood
def memory(what):  # VmRSS: now, VmHWM: at most
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith(what))
rng = np.random.default_rng(0)
X = rng.normal(size=(200_000, 20))
y = X[:, 0] + X[:, 1] * X[:, 2] + 0.7 * rng.normal(size=len(X)) > 0
model = eval(f"boxwood.{sys.argv[1]}")
model.fit(X[:2000], y[:2000])
before = memory("VmRSS")
model.fit(X, y)
print((memory("VmHWM") - before) / X.nbytes)
"""


@pytest.mark.sample(1)
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere /proc does not tell what a process takes")
@pytest.mark.parametrize(
    ("model", "most"),
    [
        ("C45Classifier(n_jobs=1)", 3.4),
        ("CHAIDClassifier(n_jobs=1)", 2.4),
        ("CARTClassifier(n_jobs=1)", 2.2),
        ("CARTClassifier(max_competitors=4, max_depth=4, pruning=None, n_jobs=1)", 2.2),
    ],
)
def test_a_fit_takes_a_few_times_the_data(model, most):
    done = subprocess.run([sys.executable, "-c", MEASURE, model], capture_output=True, text=True, check=True)
    assert 0.3 < float(done.stdout) <= most
