"""The same bits everywhere: digests of trees that every compiler, processor and width of registers must grow.

The file was written by ``python -m golden.test_bits`` (with ``PYTHONPATH=src:tests``). Tables are made of whole numbers
alone, so that they are the same in every release of numpy. ``--check`` compares instead, without pytest.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from boxwood import C45Classifier, CARTClassifier, CARTRegressor, CHAIDClassifier

DIGESTS = Path(__file__).parent / "data" / "bits.json"


def scattered(n: int, columns: int, seed: int) -> np.ndarray:
    """Whole numbers below 2^16 without a pattern that a tree could use, shape (n, columns)."""
    at = np.arange(n * columns, dtype=np.uint64) + np.uint64(seed * 7_919_003 + 1)
    for shift, by in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        at = (at ^ (at >> np.uint64(shift))) * np.uint64(by)
    return ((at >> np.uint64(40)) & np.uint64(0xFFFF)).astype(np.int64).reshape(n, columns)


def fits(seed: int) -> Iterator[tuple[str, object]]:
    """Models of one table, each with a name."""
    n = 400 + 900 * seed
    numbers = scattered(n, 8, seed)
    X = numbers[:, :7] / 1024.0
    X[:, 0] = np.round(X[:, 0])
    score = X[:, 0] + X[:, 1] * X[:, 2] / 16 + numbers[:, 7] / 4096.0
    two, five = (score > 60).astype(int), np.digitize(score, [30, 50, 70, 110])
    weight = 0.25 + numbers[:, 7] % 13 / 4.0
    gaps = np.where(scattered(n, 7, seed + 50) % 10 == 0, np.nan, X)
    yield "two classes", CARTClassifier(pruning=None).fit(X, two)
    yield "five, entropy, gaps", CARTClassifier(criterion="entropy", pruning=None).fit(gaps, five)
    yield "errors", CARTClassifier(criterion="error", pruning=None).fit(X, two)
    yield "folds", CARTClassifier().fit(X, five)
    yield "weights, gaps", CARTClassifier(pruning=None, missing="learned").fit(gaps, two, sample_weight=weight)
    yield "surrogates", CARTClassifier(pruning=None, max_depth=6, max_surrogates=5).fit(X, five)
    yield "a numeric target, gaps", CARTRegressor(pruning=None).fit(gaps, score)
    yield "counts", CARTRegressor(criterion="poisson", pruning=None).fit(X, np.round(score / 16))
    yield "bins", CARTRegressor(pruning=None, max_bins=31).fit(X, score)
    yield "C4.5", C45Classifier().fit(gaps, five)
    yield "CHAID", CHAIDClassifier().fit(np.round(X / 8), two)


def digests() -> dict[str, str]:
    """A digest of each tree: its shape, its tests, what its nodes hold."""
    found = {}
    for seed in range(4):
        for name, model in fits(seed):
            digest = hashlib.sha256()
            tree = model.tree_
            for part in (tree.parent, tree.missing, tree.moments, tree.splits.feature, tree.splits.breaks):
                digest.update(np.ascontiguousarray(part).tobytes())
            found[f"{seed}: {name}"] = f"{tree.n_leaves} {digest.hexdigest()[:16]}"
    return found


def test_same_bits_as_ever():
    assert digests() == json.loads(DIGESTS.read_text(encoding="utf-8"))


if __name__ == "__main__" and "--check" in sys.argv:
    test_same_bits_as_ever()
    print(f"the same {len(digests())} digests")
elif __name__ == "__main__":
    DIGESTS.write_text(json.dumps(digests(), indent=1) + "\n", encoding="utf-8")
