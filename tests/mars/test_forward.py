"""The forward pass takes the terms that plain Python takes with QR, and stays within its memory."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from boxwood.mars.candidates import ForwardRule
from boxwood.mars.forward import forward
from boxwood.mars.learning import learning_rows
from mars.forward_twin import forward_twin
from mars.problems import problem


@pytest.mark.sample(4)
@pytest.mark.parametrize("degree", [1, 2, 3])
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_terms_are_those_of_plain_python(seed, degree):
    X, y, _ = problem(seed, n=250)
    if seed == 4:  # many equal values
        X = np.round(8.0 * X / X.std(axis=0))
    rows = learning_rows(list(X.T), y[:, None], None, None)
    rule = ForwardRule(max_degree=degree, max_terms=15, penalty=3.0, fast_k=0)
    found = forward(rows, rule).model.products
    expected = forward_twin(list(rows.columns), y, 15, degree, rule.thresh)
    assert len(found) >= 7
    assert found == expected


MEASURE = """
import sys
import numpy as np
from boxwood import MARSRegressor, MARSClassifier
def memory(what):  # VmRSS: now, VmHWM: at most; the peak of getrusage is that of the parent process at first
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith(what))
rng = np.random.default_rng(0)
X = rng.uniform(size=(100_000, 20))
y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3] + 5 * X[:, 4]
y += rng.normal(size=100_000)
kind, degree = sys.argv[1:]
make, y = (MARSRegressor, y) if kind != "classes" else (MARSClassifier, y > 14)
weight = rng.integers(1, 4, size=len(y)).astype(float) if kind == "weights" else None
model = make(max_degree=int(degree), n_jobs=2, fast_k=1, max_terms=18)
model.fit(X[:500], y[:500])
before = memory("VmRSS")
model.fit(X, y, sample_weight=weight)
print((memory("VmHWM") - before) / X.nbytes)
"""


@pytest.mark.sample(1)
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere /proc does not tell what a process takes")
@pytest.mark.parametrize(
    ("kind", "degree", "most"),
    [("numbers", "1", 3.2), ("numbers", "2", 3.2), ("classes", "1", 3.2), ("weights", "1", 3.6)],
)
def test_a_fit_takes_about_three_times_the_data(kind, degree, most):
    done = subprocess.run([sys.executable, "-c", MEASURE, kind, degree], capture_output=True, text=True, check=True)
    assert 1.0 < float(done.stdout) <= most


def test_terms_of_full_degree_take_no_place_among_the_parents():
    rng = np.random.default_rng(3)
    X = rng.uniform(-1.0, 1.0, size=(300, 6))
    y = np.abs(X - 0.2).sum(axis=1) + 0.05 * rng.normal(size=300)
    terms = [
        forward(learning_rows(list(X.T), y[:, None], None, None), ForwardRule(1, 21, 2.0, fast_k=k)).model.slots
        for k in (1, 0)
    ]
    assert terms[0] == terms[1]
    assert len(terms[0]) >= 13
