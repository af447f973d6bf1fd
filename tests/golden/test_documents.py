"""The examples of the two "coming from" pages run, and say what the pages say."""

from __future__ import annotations

from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("page", ["rpart.md", "sklearn.md"])
def test_examples_run(page, capsys):
    blocks = (DOCS / page).read_text("utf-8").split("```python\n")[1:]
    names: dict = {}
    for block in blocks:
        exec(block.split("```")[0], names)
    assert "Decision tree (cart)" in capsys.readouterr().out
    assert names["model"].tree_.n_leaves >= 2
