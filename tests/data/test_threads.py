"""Work for threads is done also where no thread can be started, and once."""

import threading
import time

import pytest

from boxwood.data.threads import Threads


def none_can_be_started(monkeypatch, after: int = 0):
    """Let threads be started so many times, and then no more."""
    start, started = threading.Thread.start, []

    def refuse(thread):
        started.append(thread)
        if len(started) > after:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refuse)


@pytest.mark.parametrize("after", [0, 1])
def test_the_caller_works_where_no_thread_can_be_started(monkeypatch, after):
    none_can_be_started(monkeypatch, after)
    done = []

    def work(i):
        time.sleep(0.001)
        done.append(i)
        return i * i

    with Threads(3) as threads:
        assert list(threads.map(work, range(20))) == [i * i for i in range(20)]
    assert sorted(done) == list(range(20))


@pytest.mark.parametrize("after", [0, 9])
def test_errors_reach_who_asks_for_the_result(monkeypatch, after):
    none_can_be_started(monkeypatch, after)
    with Threads(2) as threads:
        future = threads.submit(int, "x")
        assert threads.submit(int, "7", base=8).result() == 7
        with pytest.raises(ValueError, match="invalid literal"):
            future.result()


def test_what_was_cancelled_is_not_done():
    going, done = threading.Event(), []
    with Threads(1) as threads:
        threads.submit(going.wait)
        waiting = threads.submit(done.append, 1)
        assert waiting.cancel()
        going.set()
    assert done == []
