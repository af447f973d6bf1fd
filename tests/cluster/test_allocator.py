"""A worker keeps freed memory while a fit goes on, where its process was configured not to."""

from __future__ import annotations

import pytest

from boxwood.growing.cluster import allocator


@pytest.fixture
def given(monkeypatch):
    """The calls to the allocator."""
    found = []
    monkeypatch.setattr(allocator, "_set", lambda *settings: found.append(settings))
    return found


def test_nothing_is_set_without_a_setting_of_the_allocator(monkeypatch, given):
    monkeypatch.delenv("MALLOC_TRIM_THRESHOLD_", raising=False)
    allocator.keep_what_is_freed()
    allocator.hand_back()
    assert not given


def test_the_setting_is_restored_at_the_end(monkeypatch, given):
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "65536")
    allocator.keep_what_is_freed()
    allocator.hand_back()
    assert [trim for trim, _ in given] == [1 << 26, 65536]


def test_an_allocator_without_settings_is_left_alone(monkeypatch):
    monkeypatch.setattr(allocator.ctypes, "CDLL", lambda name: object())
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "65536")
    allocator.keep_what_is_freed()


def test_the_last_fit_that_ends_hands_back(monkeypatch, tmp_path):
    from boxwood.growing.cluster import worker

    calls = []
    monkeypatch.setattr(worker, "keep_what_is_freed", lambda: calls.append("keep"))
    monkeypatch.setattr(worker, "hand_back", lambda: calls.append("hand back"))
    monkeypatch.setattr(worker, "_sessions", {})
    place = worker.WorkerInfo("here", str(tmp_path))
    for name in ("one", "other"):
        worker.work(name, "survey", [], b"", place)
    worker.stop("one")
    assert calls == ["keep", "keep"]
    worker.stop("other")
    assert calls == ["keep", "keep", "hand back"]
