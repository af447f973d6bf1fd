"""Random models of XGBoost: every kind of column, of setting and of source."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import xgboost

import boxwood
from readers.drawn_tables import CODES, NAMES, Drawn, categories, codes, hostile, numbers, response

OBJECTIVES = ("reg:squarederror", "binary:logistic", "count:poisson", "multi:softprob", "reg:gamma")
SOURCES = ("booster", "dict", "json", "bytes", "file", "estimator")


def single(column: np.ndarray) -> np.ndarray:
    """Numbers that XGBoost takes: infinite in single precision is refused."""
    return np.where(np.abs(column) > 3e38, np.nan, column)


def table(rng: np.random.Generator, n: int) -> tuple[list, list[int]]:
    """Columns and the positions of those that hold categories."""
    columns, coded = [], []
    in_frame = rng.random() < 0.4
    for j in range(rng.integers(1, 6)):
        if rng.random() < 0.5:
            columns.append(numbers(rng, n))
        else:
            columns.append(categories(rng, n, 2) if in_frame else codes(rng, n))
            coded.append(j)
    return columns, coded


def settings(rng: np.random.Generator) -> dict:
    """Settings of XGBoost that change what a tree is or how it is stored."""
    pick = rng.choice
    found = {
        "objective": str(pick(OBJECTIVES)), "tree_method": str(pick(["hist", "hist", "approx"])), "nthread": 1,
        "max_depth": int(pick([1, 3, 6])), "max_bin": int(pick([2, 4, 256])), "min_child_weight": int(pick([0, 1, 5])),
        "max_cat_to_onehot": int(pick([1, 4, 100])), "max_cat_threshold": int(pick([1, 64])), "seed": 1,
        "reg_lambda": float(pick([0, 1])), "gamma": float(pick([0, 0.5])), "subsample": float(pick([1, 0.7])),
        "grow_policy": str(pick(["depthwise", "lossguide"])), "max_leaves": int(pick([0, 9])),
    }  # fmt: skip
    if found["objective"] == "multi:softprob":
        found["num_class"] = 3
    if rng.random() < 0.4:
        found["base_score"] = 0.25
    return found


def labels(y: np.ndarray, objective: str) -> np.ndarray:
    """A response as the objective wants it."""
    if objective == "multi:softprob":
        return np.digitize(y, np.quantile(y, [0.3, 0.7]))
    if objective == "binary:logistic":
        return (y > np.median(y)).astype(int)
    return np.abs(y) + 0.1 if objective in ("count:poisson", "reg:gamma") else y


def with_hostile(rng: np.random.Generator, columns: list, coded: list[int], cuts: dict[int, list[float]]) -> list:
    """The columns of new rows: values of the table, those about the cuts, and codes that it never had.

    Of names, all that training had: an unknown one is refused by XGBoost, or by a fault of it taken for another.
    """
    n = 160
    taken, changed = rng.integers(0, len(columns[0]), n), rng.random((n, len(columns))) < 0.4
    # It cuts names that are not ASCII, and finds levels in another order no more.
    plain = all(str(list(column.categories)).isascii() for column in columns if isinstance(column, pd.Categorical))
    found = []
    for j, column in enumerate(columns):
        if isinstance(column, pd.Categorical):
            held = np.where(changed[:, j], rng.integers(-1, len(column.categories), n), column.codes[taken])
            order = rng.permutation(len(column.categories)) if plain else np.arange(len(column.categories))
            places = np.append(np.argsort(order), -1)
            found.append(pd.Categorical.from_codes(places[held], column.categories[order]))
            continue
        odd = rng.choice([*CODES, np.nan, *range(70)], n) if j in coded else hostile(rng, cuts.get(j, []), n)
        found.append(np.where(changed[:, j], single(odd), column[taken]))
    return found


def cuts_of(saved: dict) -> dict[int, list[float]]:
    """The thresholds of a model by feature."""
    found: dict[int, list[float]] = {}
    for tree in saved["learner"]["gradient_booster"]["model"]["trees"]:
        for t, left in enumerate(tree["left_children"]):
            if left >= 0 and not tree["split_type"][t]:
                found.setdefault(tree["split_indices"][t], []).append(tree["split_conditions"][t])
    return found


def source(booster, kind: str, folder: Path):
    """A model in one of the forms that are read."""
    raw = bytes(booster.save_raw("json"))
    if kind == "file":
        booster.save_model(folder / "model.json")
        return folder / "model.json"
    return {"booster": booster, "dict": json.loads(raw), "json": raw.decode(), "bytes": raw}[kind]


def drawn(seed: int, folder: Path) -> Iterator[Drawn]:
    """The trees of one model."""
    rng = np.random.default_rng([seed, 12])
    columns, coded = table(rng, int(rng.integers(30, 250)))
    params = settings(rng)
    if not coded and rng.random() < 0.5:
        params["tree_method"] = "exact"
    y = labels(response(rng, columns), params["objective"])
    frame = any(isinstance(column, pd.Categorical) for column in columns)
    kind = str(rng.choice(SOURCES))
    gap = float(rng.choice([0.0, 1.0, 2.5, -1.0])) if kind == "estimator" and not frame else np.nan
    names = [NAMES[j].replace("<", "") for j in range(len(columns))]

    def rows_of(found: list):
        return pd.DataFrame(dict(zip(names, found, strict=True))) if frame else np.column_stack(found)

    def matrix_of(rows, label=None):
        types = None if frame else ["c" if j in coded else "q" for j in range(len(columns))]
        return xgboost.DMatrix(rows, label, missing=gap, feature_types=types, enable_categorical=True)

    booster = xgboost.train(params, matrix_of(rows_of(columns), y), int(rng.integers(1, 3)))
    saved = json.loads(bytes(booster.save_raw("json")))
    rows = rows_of(with_hostile(rng, columns, coded, cuts_of(saved)))
    if kind == "estimator":
        model = xgboost.XGBModel(missing=gap)
        model._Booster = booster
    else:
        model = source(booster, kind, folder)
    data = matrix_of(rows)
    width = params.get("num_class", 1)
    data.set_base_margin(np.zeros(len(rows) * width))
    given = {name: list(c.categories) for name, c in zip(names, columns, strict=True) if hasattr(c, "categories")}
    for t in range(booster.num_boosted_rounds() * width):
        predicted = booster.predict(data, output_margin=True, iteration_range=(t // width, t // width + 1))
        tree = boxwood.from_xgboost(model, t, categories=given)
        yield Drawn(tree, rows, np.reshape(predicted, (len(rows), width))[:, t % width].astype(float))
