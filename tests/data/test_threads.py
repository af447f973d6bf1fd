"""Work for threads is done also where no thread can be started, and once."""

import threading
import time

import pyarrow.csv as arrow_csv
import pytest

from boxwood._threads import Threads, outside_main_thread
from boxwood.data.files.files import read_table
from boxwood.data.streams.batches import Batches


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
def test_errors_reach_who_requests_the_result(monkeypatch, after):
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


def test_csv_is_read_where_arrow_takes_no_signals_over(monkeypatch, tmp_path):
    """In the main thread Arrow takes SIGTERM and Ctrl-C over while it reads, and forgot those that came at the end."""
    given, read = [], arrow_csv.read_csv

    def noted(*arguments, **named):
        given.append(threading.current_thread())
        return read(*arguments, **named)

    monkeypatch.setattr(arrow_csv, "read_csv", noted)
    path = tmp_path / "数.csv"
    path.write_text("code,y\n007,1\n008,2\n", encoding="utf-8")
    assert read_table(str(path)).column("code").to_pylist() == ["007", "008"]
    assert [batch.table.n for batch in Batches(str(path)).read(["code", "y"])] == [2]
    assert given
    assert threading.main_thread() not in given


def test_errors_from_outside_the_main_thread_are_as_they_were():
    with pytest.raises(ValueError, match="invalid literal"):
        outside_main_thread(int, "x")
