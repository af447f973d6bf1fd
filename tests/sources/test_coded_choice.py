"""Many classes with weights go to whichever of two growers is faster; both grow the same tree."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from boxwood import CARTClassifier
from boxwood.sources import memory
from boxwood.sources.coded import MOST_PLAIN_CLASSES, ROWS_A_CLASS

CLASSES = MOST_PLAIN_CLASSES + 1


def grown_by_codes(monkeypatch, rows: int, criterion: str, numeric: bool) -> bool:
    """Whether a fit of so many rows asked the search over codes."""
    rng = np.random.default_rng(0)
    asked, grown = [], memory.grown
    monkeypatch.setattr(memory, "grown", lambda *given: asked.append(given) or grown(*given))
    y = np.arange(rows) % CLASSES
    codes = rng.integers(0, 4, rows)
    X = pd.DataFrame({"値": codes * 1.5 if numeric else pd.Categorical.from_codes(codes, list("甲乙丙丁"))})
    CARTClassifier(criterion=criterion, pruning=None, max_depth=1).fit(X, y, sample_weight=rng.uniform(0.5, 2, rows))
    return bool(asked)


@pytest.mark.parametrize(
    ("rows", "criterion", "numeric", "by_codes"),
    [
        (ROWS_A_CLASS * CLASSES, "gini", True, True),
        (ROWS_A_CLASS * CLASSES - 1, "gini", True, False),
        (CLASSES * 9, "gini", False, False),
        (CLASSES * 9, "entropy", True, True),
        (CLASSES * 9, "entropy", False, False),
    ],
)
def test_rows_a_class_decide(monkeypatch, rows, criterion, numeric, by_codes):
    assert grown_by_codes(monkeypatch, rows, criterion, numeric) is by_codes
