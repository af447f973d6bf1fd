"""Model files of every algorithm with right checksums and wrong content: refused, or all views of them work."""

from __future__ import annotations

import random
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

import boxwood
from reliability.forged_models import X, fitted, forged, use


@cache
def _files() -> list[bytes]:
    """A file of every kind of model."""
    return [model.model_.to_bytes() for model in fitted()]


def prepare() -> None:
    """Fit the models once, outside of the time of a case."""
    _files()


def draw(draw: random.Random) -> bytes:
    """A forged file."""
    return forged(draw.choice(_files()), draw)


def run(data: bytes) -> None:
    """Load the file, use the model, and see that what it saves predicts the same."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.box"
        path.write_bytes(data)
        model = boxwood.load(path)
        use(model)
        names = [feature.name for feature in model.model_.schema]
        rows = dict(zip(names, X.values(), strict=False))
        before = model.predict(rows)
        model.save(path)
        np.testing.assert_array_equal(boxwood.load(path).predict(rows), before)
