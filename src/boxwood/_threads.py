"""Threads for the work of one call; where none can be started, the caller does the work itself."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial


class Threads(ThreadPoolExecutor):
    """A pool of threads that takes work until the process has ended.

    Once the main thread has returned, Python waits for the other threads but refuses them new work for a pool, and a
    system may have no thread left. Then ``submit`` does the work before it returns.

    Examples
    --------
    >>> from boxwood._threads import Threads
    >>> with Threads(2) as threads:
    ...     list(threads.map(len, ["a", "bc"]))
    [1, 2]
    """

    def submit(self, work: Callable, /, *arguments, **named) -> Future:
        """Begin the work; see :meth:`concurrent.futures.Executor.submit`."""
        future: Future = Future()
        waiting = [partial(work, *arguments, **named)]
        try:
            super().submit(_do, waiting, future)
        except RuntimeError:
            _do(waiting, future)
        return future


def outside_main_thread(work: Callable, /, *arguments, **named):
    """What some work returns that takes signals over in the main thread and may lose them.

    Arrow does so while it reads CSV: a SIGTERM or Ctrl-C that came shortly before the end was forgotten, one in eight
    on a loaded machine.

    Examples
    --------
    >>> from boxwood._threads import outside_main_thread
    >>> outside_main_thread(len, "abc")
    3
    """
    if threading.current_thread() is not threading.main_thread():
        return work(*arguments, **named)
    with Threads(1) as threads:
        return threads.submit(work, *arguments, **named).result()


def _do(waiting: list[Callable], future: Future) -> None:
    """Do the work, if nobody did: a pool that could not start a thread keeps what it was given in its queue."""
    try:
        work = waiting.pop()
    except IndexError:
        return
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = work()
    except BaseException as error:  # noqa: BLE001 - reading the result raises it
        future.set_exception(error)
        del future  # the trace of the error holds this frame: it must not hold the error
    else:
        future.set_result(result)
