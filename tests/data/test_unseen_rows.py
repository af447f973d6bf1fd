"""Levels that training did not have, refused: the sentence names column, level and first row."""

import re

import pytest

from boxwood import CARTClassifier
from boxwood.errors import UnseenLevelError


@pytest.mark.parametrize(
    ("new", "text"),
    [
        (
            ["a", "q", "b", "q"],
            "column 'c' holds the level 'q' in 2 row(s), which did not occur in training, the first in row 1",
        ),
        (
            [None, "a", "r", "q"],
            "'q' in 1 row(s) and 1 other such level(s), which did not occur in training, the first in row 2",
        ),
        (["a", "年" * 900], "年..."),
    ],
)
def test_first_row(new, text):
    model = CARTClassifier(pruning=None, unseen="error").fit({"c": ["a", "b", "a"]}, [0, 1, 0])
    with pytest.raises(UnseenLevelError, match=re.escape(text.replace("年...", "年..."))) as caught:
        model.predict({"c": new})
    assert len(str(caught.value)) < 300
