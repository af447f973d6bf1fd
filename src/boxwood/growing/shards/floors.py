"""The values of all rows in shards that are next to cuts."""

from __future__ import annotations

import numpy as np

from ..data_cuts import pairs
from .engine import Engine


def floors_in_shards(engine: Engine, cuts: dict[int, np.ndarray]) -> dict[int, np.ndarray]:
    """The largest values that are not above cuts, of each feature."""
    limits, sizes = np.concatenate(list(cuts.values())), [len(each) for each in cuts.values()]
    arguments = {
        "features": np.array(list(cuts)), "count": np.array(sizes), "limits": limits.real, "low": limits.imag,
    }  # fmt: skip
    reply = engine.request("floors", {name: np.ascontiguousarray(array) for name, array in arguments.items()})
    found = np.split(pairs(reply["floor"], reply["low"]), np.cumsum(sizes)[:-1])
    return dict(zip(cuts, found, strict=True))
