"""Writes model files of this version and what they predict: once for each release, ``python -m model.write_released``.

With ``PYTHONPATH=src:tests``. The files of earlier versions stay as they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import boxwood
from boxwood import (
    C45Classifier,
    C45Rules,
    CARTClassifier,
    CARTRegressor,
    CHAIDClassifier,
    CLSClassifier,
    ID3Classifier,
    MARSClassifier,
    MARSRegressor,
    TreeClassifier,
    datasets,
)

RELEASED = Path(__file__).parent / "released"


def table(name: str) -> tuple[dict, list]:
    """The features and the target of a bundled table, without a column that numbers the rows."""
    X = datasets.load(name)
    y = X.pop(datasets.describe(name).target)
    X.pop("id", None)
    return X, y


def models() -> Iterator[tuple[str, str, object]]:
    """Name of the file, table and estimator: every kind of model and every section of the file."""
    yield "cart", "titanic", CARTClassifier(max_depth=4)
    yield "cart_all_rows", "titanic", CARTClassifier(max_depth=3, pruning=None, missing="own_branch", max_competitors=2)
    yield "reduced_error", "titanic", CARTClassifier(max_depth=4, pruning="reduced_error")
    yield "cart_costs", "labor", CARTClassifier(costs=[[0, 1], [3, 0]], min_samples_leaf=5)
    yield "numbers", "chickwts", CARTRegressor(min_samples_leaf=5)
    yield "counts", "warpbreaks", CARTRegressor(criterion="poisson", min_samples_leaf=5, shrink=1.0)
    yield "c45", "labor", C45Classifier()
    yield "c45_grouped", "loan", C45Classifier(group_levels=True, min_branch_weight=1.0)
    yield "chaid", "titanic", CHAIDClassifier()
    yield "id3", "loan", ID3Classifier()
    yield "cls", "loan", CLSClassifier()
    yield "composed", "play_tennis", TreeClassifier(criterion="gain", branching="multiway", missing="fractional")
    yield "rules", "labor", C45Rules()
    yield "mars", "trees", MARSRegressor(max_degree=2)
    yield "mars_classes", "iris", MARSClassifier()


def predictions(model: object, X: dict) -> list:
    """What a model predicts for a table: probabilities where it has some, else values."""
    found = model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)
    return [labels.tolist() for labels in (model.predict(X), found)]


def main() -> None:
    """Write the files of this version, each with its predictions."""
    folder = RELEASED / boxwood.__version__
    folder.mkdir(parents=True, exist_ok=True)
    expected = {}
    for name, of, model in models():
        X, y = table(of)
        model.fit(X, y).save(folder / f"{name}.box")
        few = {column: values[:40] for column, values in X.items()}
        expected[name] = {"table": of, "predicted": predictions(model, few)}
    text = json.dumps(expected, ensure_ascii=False, separators=(",", ":"))
    (folder / "expected.json").write_text(text.replace('"},"', '"},\n"') + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
