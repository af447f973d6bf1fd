"""Models of every kind, and rows that reach the corners of what they can be given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boxwood import MARSClassifier, MARSRegressor


@dataclass(frozen=True)
class Case:
    """A fitted estimator, and rows to predict, as a dictionary of lists."""

    model: MARSClassifier | MARSRegressor
    rows: dict[str, list]

    @property
    def n(self) -> int:
        return len(next(iter(self.rows.values())))

    def row(self, i: int) -> dict:
        return {name: values[i] for name, values in self.rows.items()}


CITIES = ["Ulm", "京都", 'Bad "Ort"', "O'Hara */"]


def table(n: int, seed: int, gaps: bool) -> dict[str, list]:
    """Numbers, whole numbers, levels, and names that need quotation marks; gaps if requested."""
    rng = np.random.default_rng(seed)
    size, height = rng.normal(size=n), rng.integers(-5, 6, size=n)
    city = [CITIES[i] for i in rng.integers(0, len(CITIES), size=n)]
    smoker = [bool(v) for v in rng.integers(0, 2, size=n)]
    rows = {'size "a"': size.tolist(), "高さ": height.tolist(), "city": city, "smoker": smoker}
    if gaps:
        for name in ('size "a"', "city"):
            rows[name] = [None if lost else value for lost, value in zip(rng.random(n) < 0.15, rows[name], strict=True)]
    return rows


def signal(rows: dict[str, list]) -> np.ndarray:
    """What y is without noise: bends, an interaction, levels, and an effect of missing values."""
    size = np.array([3.0 if v is None else v for v in rows['size "a"']])
    height = np.array(rows["高さ"], dtype=float)
    city = np.array([{"Ulm": 0.0, "京都": 2.0, None: -1.5}.get(v, 0.5) for v in rows["city"]])
    bend = np.maximum(0.0, size - 0.3) * 3.0 - np.maximum(0.0, -0.5 - size)
    return bend + 0.4 * height * np.maximum(0.0, size) + city + np.array(rows["smoker"]) * 0.7 - 0.2 * abs(height)


def edges(rows: dict[str, list], model, gaps: bool) -> dict[str, list]:
    """The rows, and behind them knots, far values, levels not seen and gaps."""
    design = model.model_.design
    knots = [
        cut
        for m in range(model.model_.size)
        for j, _, cut in model.model_.kept.factors(m)
        if design.names[j] == 'size "a"'
    ]
    extra = [*knots, 0.0, 1e9, -1e9, 1e-300]
    more = {
        'size "a"': extra,
        "高さ": [(-1) ** i * 100 * i for i in range(len(extra))],
        "city": ["Paris" if i % 2 else "京都" for i in range(len(extra))],
        "smoker": [i % 2 == 0 for i in range(len(extra))],
    }
    if gaps:
        more = {name: [*values, None] for name, values in more.items()}
    return {name: [*rows[name], *more[name]] for name in rows}


def case(kind: str, **settings) -> Case:
    """A case: "numbers", "gaps", "several", "yes or no", "three classes", "shares"."""
    rng = np.random.default_rng(1)
    gaps = kind in ("gaps", "yes or no with gaps")
    rows = table(300, 7, gaps)
    y = signal(rows) + rng.normal(scale=0.3 if kind in ("numbers", "gaps", "several") else 2.0, size=300)
    settings = {
        "max_degree": 2,
        "missing": "indicator" if gaps else "error",
        **settings,
    }
    if kind in ("numbers", "gaps"):
        model = MARSRegressor(**settings).fit(rows, y)
    elif kind == "several":
        model = MARSRegressor(**settings).fit(rows, np.column_stack((y, -2.0 * y + np.array(rows["高さ"]))))
    elif kind.startswith("yes or no"):
        model = MARSClassifier(**settings).fit(
            rows, np.where((y > np.median(y)) ^ (rng.random(300) < 0.15), "是 'x'", "no")
        )
    else:
        model = MARSClassifier(logistic=kind != "shares", **settings).fit(rows, np.digitize(y, [0.0, 2.0]))
    return Case(model, edges(table(60, 8, gaps), model, gaps))


KINDS = ("numbers", "gaps", "several", "yes or no", "yes or no with gaps", "three classes", "shares")
