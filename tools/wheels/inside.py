"""Runs in the clean system of a wheel: the digests, a fit, a prediction, the command line."""

from __future__ import annotations

import json
import platform
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import base_classes

base_classes.install_standard()

import numpy as np  # noqa: E402

HAS_SKLEARN = find_spec("sklearn") is not None
if not HAS_SKLEARN:
    base_classes.install()

import boxwood  # noqa: E402
from boxwood import cli  # noqa: E402
from golden.test_bits import DIGESTS, digests  # noqa: E402

PASSENGERS = Path(boxwood.__file__).parent / "data" / "datasets"


def first_tree() -> str:
    """A tree of a made table with missing values, and the share of new rows that it predicts right."""
    random = np.random.default_rng(7)
    X = random.normal(size=(2_000, 5))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    X[random.random(X.shape) < 0.05] = np.nan
    model = boxwood.CARTClassifier().fit(X[:1_500], y[:1_500])
    right = float(np.mean(model.predict(X[1_500:]) == y[1_500:]))
    if right < 0.8:
        raise SystemExit(f"a tree predicts only {right:.3f} of new rows right")
    return f"a tree of {model.tree_.n_leaves} leaves predicts {right:.3f} of 500 new rows right"


def command_line(folder: Path) -> str:
    """`boxwood fit`, `eval` and `predict` on the passengers of the Titanic; the first line predicted."""
    model, out = folder / "titanic.box", folder / "predicted.csv"
    rows = str(PASSENGERS / "titanic_new.csv")
    for words in (
        ["fit", str(PASSENGERS / "titanic.csv"), "--target", "survived", "-o", str(model)],
        ["evaluate", str(model), rows],
        ["predict", str(model), rows, "-o", str(out)],
    ):
        kept, sys.stdout = sys.stdout, sys.stderr
        try:
            status = cli.main(words)
        except SystemExit as end:
            status = end.code
        finally:
            sys.stdout = kept
        if status:
            raise SystemExit(f"boxwood {words[0]} ended with {status}")
    lines = out.read_text(encoding="utf-8").splitlines()
    return f"fit, eval and predict from the command line: {len(lines)} lines predicted"


if __name__ == "__main__":
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "g++", "c++", "clang"))), None)
    print(f"Python {platform.python_version()} of {platform.machine()}, {' '.join(platform.libc_ver()) or 'musl'}")
    print(f"a compiler: {compiler or 'none'}; the kernel: {Path(boxwood._kernel.__file__).name}")
    if not HAS_SKLEARN:
        print("scikit-learn has no wheel for this system; its base classes are replaced")
    found = digests()
    if found != json.loads(DIGESTS.read_text(encoding="utf-8")):
        raise SystemExit("the trees have other digests")
    print(f"the same {len(found)} digests")
    print(first_tree())
    with tempfile.TemporaryDirectory() as folder:
        print(command_line(Path(folder)))
