"""Generated tables with nominal columns, as large and as ragged as two real ones that everybody knows."""

from __future__ import annotations

import numpy as np

#: Levels of the nominal columns of the flights: as many as tails, carriers, airports and the like have.
_FLIGHT_LEVELS = {
    "tail": 4_037, "flight": 1_500, "dest": 105, "model": 127, "maker": 35, "carrier": 16, "engine": 6, "origin": 3,
}  # fmt: skip
#: Share of missing cells by column; about 975,000 cells of 261,877 x 29.
_FLIGHT_HOLES = {"model": 0.16, "maker": 0.16, "engine": 0.16, **{f"x{j}": 0.1 + 0.05 * j for j in range(10)}}


def _frame(columns: dict):
    import pandas as pd

    return pd.DataFrame(columns)


def _category(codes: np.ndarray, n_levels: int, prefix: str, ordered: bool = False):
    import pandas as pd

    names = [f"{prefix}{k}" for k in range(n_levels)]
    return pd.Categorical.from_codes(codes, names, ordered=ordered)


def flights(n: int, seed: int):
    """261,877 departures: 8 nominal columns of up to 4,037 levels, 21 numbers, missing cells; a quarter is late.

    Returns
    -------
    (frame of shape (n, 29), int64 of shape (n,))
    """
    world, rng = np.random.default_rng(100), np.random.default_rng(200 + seed)
    columns, score = {}, 1.1 * rng.normal(size=n)
    for name, n_levels in _FLIGHT_LEVELS.items():
        popular = world.dirichlet(np.full(n_levels, 0.8))
        effect = world.normal(scale=0.4, size=n_levels)
        codes = rng.choice(n_levels, n, p=popular)
        score += effect[codes]
        codes[rng.random(n) < _FLIGHT_HOLES.get(name, 0.0)] = -1
        columns[name] = _category(codes, n_levels, name)
    for j in range(21):
        raw = rng.normal(size=n)
        values = np.floor(60 * np.abs(raw)) if j % 2 else np.round(raw, 3)
        score += (0.5 if j < 4 else 0.02) * raw * (raw > 0)
        values[rng.random(n) < _FLIGHT_HOLES.get(f"x{j}", 0.0)] = np.nan
        columns[f"x{j}"] = values
    return _frame(columns), (score > 2.3).astype(np.int64)


def diamonds(n: int, seed: int):
    """43,152 stones: three factors of 5, 7 and 8 levels, six numbers that hang together, a price.

    Returns
    -------
    (frame of shape (n, 9), float64 of shape (n,))
    """
    rng = np.random.default_rng(300 + seed)
    carat = np.round(np.exp(rng.normal(-0.4, 0.6, n)), 2)
    factors = {name: rng.integers(0, k, n) for name, k in (("cut", 5), ("color", 7), ("clarity", 8))}
    side = 6.5 * np.cbrt(carat)
    numbers = {"depth": np.round(rng.normal(61.7, 1.4, n), 1), "table": np.round(rng.normal(57.5, 2.2, n))}
    numbers |= {name: np.round(side * f + rng.normal(0, 0.03, n), 2) for name, f in (("x", 1), ("y", 1), ("z", 0.62))}
    worth = 8.4 + 1.7 * np.log(carat) + 0.03 * factors["cut"] - 0.08 * factors["color"] + 0.12 * factors["clarity"]
    price = np.round(np.exp(worth + rng.normal(0, 0.12, n)))
    names = {name: _category(codes, codes.max() + 1, name) for name, codes in factors.items()}
    return _frame({"carat": carat} | names | numbers), price


def categories(n: int, seed: int, levels: int, *, classes: int = 2, ordered: bool = False):
    """10 columns of so many levels and 10 of numbers; a few of both matter.

    Returns
    -------
    (frame of shape (n, 20), array of shape (n,))
        Classes from 0, or numbers when ``classes`` is 0.
    """
    world, rng = np.random.default_rng(400), np.random.default_rng(500 + seed)
    columns, score = {}, rng.normal(scale=0.5, size=n)
    for j in range(10):
        codes, values = rng.integers(0, levels, n), rng.normal(size=n)
        effect = np.linspace(-1, 1, levels) if ordered else world.normal(size=levels)
        if j < 3:
            score += effect[codes] + 0.5 * values
        columns |= {f"c{j}": _category(codes, levels, "l", ordered), f"x{j}": values}
    if not classes:
        return _frame(columns), score
    return _frame(columns), np.digitize(score, np.linspace(-2, 2, classes + 1)[1:-1])


def one_nominal(n: int, seed: int, levels: int):
    """One column of so many levels and four of numbers; the levels and one number matter."""
    world, rng = np.random.default_rng(600), np.random.default_rng(700 + seed)
    codes, numbers = rng.integers(0, levels, n), rng.normal(size=(n, 4))
    score = world.normal(size=levels)[codes] + numbers[:, 0] + 0.5 * rng.normal(size=n)
    columns = {"c": _category(codes, levels, "l")} | {f"x{j}": numbers[:, j] for j in range(4)}
    return _frame(columns), (score > 0).astype(np.int64)


def nominal(n: int, seed: int, columns: int, levels: int):
    """Columns of so many levels, all nominal; three of them matter."""
    world, rng = np.random.default_rng(400), np.random.default_rng(800 + seed)
    codes, score = rng.integers(0, levels, (n, columns)), 0.5 * rng.normal(size=n)
    for j in range(3):
        score += world.normal(size=levels)[codes[:, j]]
    frame = _frame({f"c{j}": _category(codes[:, j], levels, "l") for j in range(columns)})
    return frame, (score > 0).astype(np.int64)
