"""Statistics of all rows of all shards before a tree is grown from them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...data.columns.schema import Schema
from ...statistics.exact import Exact
from ...statistics.responses.response import Response


@dataclass(frozen=True, eq=False)
class Whole:
    """What is known of all rows of all shards.

    Attributes
    ----------
    schema : Schema
    cuts : tuple of (float64 array or None)
        Cuts between the bins of each numeric feature, as in every part.
    response : Response
    scaling : Exact
        The fixed point of the response, without arrays; ``n`` is the number of rows.
    weighted : bool
        Whether some row's weight is not one.
    thresholds : dict of int to float64 array
        Behind each bin of the features whose values are numbers of bins (``max_bins``).
    """

    schema: Schema
    cuts: tuple[np.ndarray | None, ...]
    response: Response
    scaling: Exact
    weighted: bool
    thresholds: dict[int, np.ndarray] = field(default_factory=dict)
