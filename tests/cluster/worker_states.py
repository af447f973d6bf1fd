"""What a worker still holds for any fit."""

from __future__ import annotations

import os


def held_here(dask_worker) -> int:
    """Sessions and folders of this worker, which Dask hands over."""
    return len(sessions()) + sum(name.startswith("boxwood-") for name in os.listdir(dask_worker.local_directory))


def sessions(*_of) -> list[str]:
    """Names of the fits that this process works for."""
    from boxwood.growing.cluster import worker

    return list(worker._sessions)


def process_id(*_of) -> int:
    """Of the worker."""
    return os.getpid()
