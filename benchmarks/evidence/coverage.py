"""How often a printed 95 % interval holds the truth: figures of a fit, figures of new rows, probabilities of leaves.

The truth is computed, not drawn: the figures of the fitted tree on a table of the whole population, in which every row
occurs once for each class with its known probability as weight.
"""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

#: Probability of "yes" in nine squares of the plane, and for the levels of two columns; a setting makes it rarer.
_SQUARES = np.array([[0.05, 0.20, 0.50], [0.15, 0.60, 0.80], [0.40, 0.85, 0.95]])
_CELLS = np.array([[0.05, 0.30, 0.60, 0.20], [0.50, 0.85, 0.15, 0.70], [0.90, 0.40, 0.75, 0.95]])
#: Points of the population, and the steps of their lattice: powers of the root of x^4 = x + 1 (Roberts 2018).
_POINTS, _STEPS = 20_000, 1.2207440846057596 ** -np.arange(1.0, 4.0)
#: Rounding of an interval without width, as that of a root's ranks.
_NOTHING = 1e-9


@dataclass(frozen=True)
class Setting:
    """What the rows are, and how they are weighted.

    Attributes
    ----------
    name : str
    rows : int
        To learn from, and new ones to evaluate.
    frequency : float
        Factor of the probabilities of "yes": 1 makes half of the rows "yes".
    class_weight : {"balanced"} or None
    weighted : bool
        Whether rows have weights, log-normal and independent of everything else.
    """

    name: str
    rows: int
    frequency: float = 1.0
    class_weight: str | None = None
    weighted: bool = False


SETTINGS = (
    Setting("no weights", 1_000),
    Setting("class weights", 3_000, frequency=0.2, class_weight="balanced"),
    Setting("sample weights", 1_000, weighted=True),
    Setting("rare events", 10_000, frequency=0.02),
)


def _p_of_plane(setting: Setting, x: np.ndarray) -> np.ndarray:
    row, column = (3 * x[:, :2]).astype(int).T
    return setting.frequency * _SQUARES[row, column]


def _plane(rng: np.random.Generator, setting: Setting) -> pd.DataFrame:
    """Rows with three numbers, of which two matter, class and weight."""
    x = rng.random((setting.rows, 3))
    return _labelled(rng, setting, pd.DataFrame(x, columns=["x0", "x1", "z"]), _p_of_plane(setting, x))


def _cells(rng: np.random.Generator, setting: Setting) -> tuple[pd.DataFrame, np.ndarray]:
    """Rows with two nominal columns, class and weight, twice as many; and the probability of "yes" of each."""
    a, b = rng.integers(0, 3, 2 * setting.rows), rng.integers(0, 4, 2 * setting.rows)
    p = setting.frequency * _CELLS[a, b]
    X = pd.DataFrame({"a": pd.Categorical.from_codes(a, list("klm")), "b": pd.Categorical.from_codes(b, list("qrst"))})
    return _labelled(rng, setting, X, p), p


def _labelled(rng, setting: Setting, X: pd.DataFrame, p: np.ndarray) -> pd.DataFrame:
    y = np.where(rng.random(len(p)) < p, "yes", "no")
    weight = rng.lognormal(size=len(p)) if setting.weighted else np.ones(len(p))
    return X.assign(y=y, w=weight)


def _population(setting: Setting) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Points spread evenly, every point with both classes; their weights are probabilities."""
    x = np.outer(np.arange(_POINTS), _STEPS) % 1.0
    p = _p_of_plane(setting, x)
    X = pd.DataFrame(np.vstack((x, x)), columns=["x0", "x1", "z"])
    return X, np.repeat(["yes", "no"], len(p)), np.concatenate((p, 1.0 - p))


def _fit_by_command(setting: Setting, data: pd.DataFrame, home: Path):
    """What `boxwood fit --json` prints of rows left out, and the model it writes."""
    import boxwood
    from boxwood.cli import main

    file, model = home / "data.csv", home / "model.box"
    data.drop(columns=[] if setting.weighted else ["w"]).to_csv(file, index=False)
    words = ["fit", str(file), "--target", "y", "-o", str(model), "--json", "--n-jobs", "1"]
    words += ["--sample-weight", "w"] if setting.weighted else []
    words += ["--class-weight", setting.class_weight] if setting.class_weight else []
    with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(io.StringIO()):
        if main(words):
            raise RuntimeError(f"boxwood {' '.join(words)} failed")
    facts = json.loads(output.getvalue())
    return facts.get("evaluation") or facts.get("held_out"), boxwood.load(model)  # before: "held_out"


def _holds(kind: str, printed: dict, truth: dict) -> dict[str, bool]:
    """Which intervals of figures hold the truth; those that have none are left out."""
    found = {}
    for name, figure in printed.items():
        low, high = figure["low"], figure["high"]
        if low is not None and high is not None and np.isfinite(truth.get(name, np.nan)):
            found[f"{kind}: {name}"] = bool(low - _NOTHING <= truth[name] <= high + _NOTHING)
    return found


def _figures(evaluation) -> dict[str, dict]:
    return {f.name: {"value": f.value, "low": f.low, "high": f.high} for f in evaluation.figures if f.name != "gini"}


def of_figures(setting: Setting, rng: np.random.Generator, home: Path) -> dict[str, bool]:
    """One fit: whether the figures of its folds, and of new rows, hold the figures of the population."""
    held_out, model = _fit_by_command(setting, _plane(rng, setting), home)
    X, y, mass = _population(setting)
    truth = {name: f["value"] for name, f in _figures(model.evaluate(X, y, sample_weight=mass)).items()}
    new = _plane(rng, setting)
    weight = new["w"].to_numpy() if setting.weighted else None
    fresh = _figures(model.evaluate(new[["x0", "x1", "z"]], new["y"], sample_weight=weight))
    return _holds("fit", held_out["figures"] if held_out else {}, truth) | _holds("new rows", fresh, truth)


def of_leaves(setting: Setting, rng: np.random.Generator, pruning: str | None) -> dict[str, float]:
    """One fit: the share of rules whose interval holds the probability of their class.

    The truth is the mean of the known probabilities in the leaf, classes weighted as those of the training rows.
    """
    from boxwood import CARTClassifier

    data, p = _cells(rng, setting)
    X, y = data[["a", "b"]], data["y"].to_numpy()
    model = CARTClassifier(pruning=pruning, class_weight=setting.class_weight, n_jobs=1)
    model.fit(X, y, sample_weight=data["w"].to_numpy() if setting.weighted else None)
    odds = 1.0
    if setting.class_weight:
        counts = {label: data["w"].to_numpy()[y == label].sum() for label in ("yes", "no")}
        odds = counts["no"] / counts["yes"]
    leaf, hits = model.apply(X), []
    for rule in model.rules():
        share = p[leaf == rule.node].mean()
        share = odds * share / (odds * share + 1.0 - share)
        hits.append(rule.interval[0] <= (share if rule.value == "yes" else 1.0 - share) <= rule.interval[1])
    return float(np.mean(hits))


def coverage(setting: Setting, repeats: int) -> dict[str, tuple[float, float]]:
    """Share of intervals that hold the truth, with its standard error over repetitions; by kind of interval."""
    held: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as home:
        for repeat in range(repeats):
            rng = np.random.default_rng([repeat, len(setting.name)])
            found = of_figures(setting, rng, Path(home))
            for name, pruning in (("full tree", None), ("default tree", "cv")):
                found[f"rules: {name}"] = of_leaves(setting, rng, pruning)
            for name, value in found.items():
                held.setdefault(name, []).append(float(value))
            (Path(home) / "model.box").unlink()
    return {name: (float(np.mean(h)), float(np.std(h) / np.sqrt(len(h)))) for name, h in held.items()}
