"""Runs the same work for several items in threads that live as long as the call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def in_parallel(work: Callable[..., Any], things: list[tuple[Any, ...]], threads: int) -> list[Any]:
    """What ``work(*thing)`` gives for each thing, in their order.

    Most of the work must be the kernel's, which lets other threads run meanwhile. The first error is raised.

    Parameters
    ----------
    work : callable
    things : list of tuple
    threads : int
        1 = one after the other, without a thread.

    Examples
    --------
    >>> from boxwood.pruning.pruners.parallel import in_parallel
    >>> in_parallel(max, [(1, 2), (5, 3)], threads=2)
    [2, 5]
    """
    if threads < 2 or len(things) < 2:
        return [work(*thing) for thing in things]
    from ..._threads import Threads

    pool = Threads(min(threads, len(things)))
    try:
        return [future.result() for future in [pool.submit(work, *thing) for thing in things]]
    finally:
        pool.shutdown(cancel_futures=True)
