"""Asked of a worker: what it still holds for any fit."""

from __future__ import annotations

import os


def held_here(dask_worker) -> int:
    """Sessions and folders of this worker, which Dask hands over."""
    from boxwood.sources.cluster import worker

    return len(worker._sessions) + sum(name.startswith("boxwood-") for name in os.listdir(dask_worker.local_directory))
