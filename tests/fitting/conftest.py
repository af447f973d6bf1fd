"""What tests of streams share."""

from __future__ import annotations

import pytest

from boxwood.algorithms.fitting.encoding import Budget


@pytest.fixture(params=["in memory", "written"])
def parts(request, monkeypatch):
    """Parts of small data stay in memory; with hardly any room the first is written after all, and then the others."""
    if request.param == "written":
        monkeypatch.setattr(Budget, "room", 1)
