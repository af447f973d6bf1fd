"""A table with everything a fit on a cluster must know how to read, and the fit of it in memory."""

from __future__ import annotations

import numpy as np
import pandas as pd

from boxwood.algorithms import REGISTRY
from boxwood.data.frames.frame import learn_columns
from boxwood.growing.parts.layout import Roles

#: (target, task)
TARGETS = (("種類", "classification"), ("menge", "regression"))
SETTINGS = {"pruning": None, "max_depth": 5}


def table(n: int = 600, seed: int = 0) -> pd.DataFrame:
    """Numbers with gaps, whole and short numbers, names in three scripts, categories with an order, truth values."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    x[rng.random(n) < 0.1] = np.nan
    city = rng.choice(["京都", "Ulm", "서울", "b"], n).astype(object)
    city[rng.random(n) < 0.05] = None
    size = pd.Categorical(rng.choice(["klein", "mittel", "groß"], n), ["klein", "mittel", "groß"], ordered=True)
    out = pd.DataFrame({"x": x, "z": rng.integers(0, 20, n), "f": rng.normal(size=n).astype(np.float32), "city": city})
    out["size"], out["b"] = size, rng.random(n) < 0.5
    out["w"] = rng.choice([0.0, 0.5, 1.0, 2.0], n)
    out["menge"] = np.nan_to_num(x) + (out.city == "Ulm") + 0.1 * out.z + 0.5 * size.codes + rng.normal(size=n)
    out["種類"] = np.where(out.menge > 2.5, "ja", np.where(out.menge < 1.3, "nein", "vielleicht"))
    return out


def roles(target: str, weight: str | None = None) -> Roles:
    """Every column but targets and weights is a feature."""
    others = tuple(name for name, _ in TARGETS if name != target)
    return Roles(target, weight, others if weight else (*others, "w"))


def in_memory(frame: pd.DataFrame, target: str, weight: str | None = None, **settings) -> bytes:
    """The bytes of the model file of the fit in memory."""
    task = dict(TARGETS)[target]
    X = frame.drop(columns=[*(name for name, _ in TARGETS), "w"])
    w = None if weight is None else frame[weight].to_numpy()
    return (
        REGISTRY["cart"]
        .fit(learn_columns(X), frame[target], task=task, settings=SETTINGS | settings, weight=w, response_name=target)
        .to_bytes()
    )
