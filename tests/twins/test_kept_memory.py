"""Memory that a large fit leaves for the next changes no tree: not after a larger table, a smaller one, two at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from boxwood import CARTClassifier

#: Rows whose codes (2 bytes per value, 20 columns) fill memory that is kept, one of more than 64 MB, and a small one.
KEPT, LARGER, SMALL = 900_000, 1_700_000, 5_000


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((LARGER, 20), dtype=np.float32)
    return X, (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(np.int64)


def grown(data, rows: int) -> bytes:
    X, y = data
    return CARTClassifier(pruning=None, max_depth=4).fit(X[:rows], y[:rows]).model_.to_bytes()


@pytest.mark.long
def test_a_kept_room_changes_no_tree(data):
    first = {rows: grown(data, rows) for rows in (KEPT, LARGER, SMALL)}
    for rows in (KEPT, KEPT, LARGER, SMALL, KEPT):
        assert grown(data, rows) == first[rows]


@pytest.mark.long
def test_two_fits_at_once_do_not_share_it(data):
    alone = grown(data, KEPT)
    with ThreadPoolExecutor(2) as pool:
        for _ in range(3):
            assert list(pool.map(lambda _: grown(data, KEPT), range(2))) == [alone] * 2
