"""Random models of LightGBM: every kind of column, of setting and of source."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import lightgbm
import numpy as np
import pandas as pd

import boxwood
from readers.drawn_tables import CODES, NAMES, Drawn, categories, codes, hostile, numbers, response

OBJECTIVES = ("regression", "binary", "poisson", "multiclass", "regression_l1", "gamma", "quantile", "xentropy")
SOURCES = ("booster", "text", "dump", "json", "file", "bytes")


def table(rng: np.random.Generator, n: int) -> tuple[list, list[int]]:
    """Columns and the positions of those that hold codes; pandas Categoricals are given as they are."""
    columns, coded = [], []
    in_frame = rng.random() < 0.5
    for j in range(rng.integers(1, 6)):
        if rng.random() < 0.5:
            columns.append(numbers(rng, n))
        elif in_frame:
            columns.append(categories(rng, n))
        else:
            columns.append(codes(rng, n))
            coded.append(j)
    return columns, coded


def settings(rng: np.random.Generator) -> dict:
    """Settings of LightGBM that change what a tree is or how it is stored."""
    pick = rng.choice
    found = {
        "objective": str(pick(OBJECTIVES)), "num_leaves": int(pick([2, 4, 12, 31])), "verbosity": -1, "num_threads": 1,
        "min_data_in_leaf": int(pick([1, 5])), "min_data_in_bin": int(pick([1, 3])), "min_gain_to_split": 0.0,
        "max_bin": int(pick([2, 4, 16, 255])),
        "zero_as_missing": bool(pick([True, False, False])), "use_missing": bool(pick([True, True, False])),
        "min_data_per_group": int(pick([1, 20])), "max_cat_to_onehot": int(pick([1, 4, 40])), "cat_smooth": 1.0,
        "max_cat_threshold": int(pick([2, 32])), "boosting": str(pick(["gbdt", "gbdt", "dart", "rf"])),
        "extra_trees": bool(pick([True, False])), "min_sum_hessian_in_leaf": 0.0, "cat_l2": 0.0, "seed": 1,
        "boost_from_average": bool(pick([True, False])), "enable_bundle": bool(pick([True, False])),
    }  # fmt: skip
    if found["objective"] == "multiclass":
        found["num_class"] = 3
    if found["boosting"] == "rf":
        found |= {"bagging_fraction": 0.7, "bagging_freq": 1}
    return found


def labels(rng: np.random.Generator, y: np.ndarray, objective: str) -> np.ndarray:
    """A response as the objective wants it."""
    if objective == "multiclass":
        return np.digitize(y, np.quantile(y, [0.3, 0.7]))
    if objective in ("binary", "xentropy"):
        return (y > np.median(y)).astype(int)
    return np.abs(y) + 0.1 if objective in ("poisson", "gamma") else y


def with_hostile(rng: np.random.Generator, columns: list, coded: list[int], cuts: dict[int, list[float]]) -> list:
    """The columns of new rows: values of the table, those about the cuts, and codes and levels that it never had."""
    n = 160
    taken, changed = rng.integers(0, len(columns[0]), n), rng.random((n, len(columns))) < 0.4
    found = []
    for j, column in enumerate(columns):
        if isinstance(column, pd.Categorical):
            held = np.where(changed[:, j], rng.integers(-1, len(column.categories) + 1, n), column.codes[taken])
            more = {"O": "new", "b": None}.get(column.categories.dtype.kind, 99)
            levels = [*column.categories.tolist(), *([] if more is None else [more])]
            found.append(pd.Categorical.from_codes(np.minimum(held, len(levels) - 1), levels))
            continue
        odd = rng.choice([*CODES, np.nan, np.inf, *range(70)], n) if j in coded else hostile(rng, cuts.get(j, []), n)
        found.append(np.where(changed[:, j], odd, column[taken]))
    return found


def cuts_of(dump: dict) -> dict[int, list[float]]:
    """The thresholds of a model by feature."""
    found: dict[int, list[float]] = {}
    for info in dump["tree_info"]:
        waiting = [info["tree_structure"]]
        while waiting:
            node = waiting.pop()
            if "leaf_value" not in node:
                waiting += [node["left_child"], node["right_child"]]
                if node["decision_type"] == "<=":
                    found.setdefault(node["split_feature"], []).append(node["threshold"])
    return found


def source(booster, kind: str, folder: Path):
    """A model in one of the forms that are read."""
    if kind == "booster":
        return booster
    if kind in ("dump", "json"):
        dump = booster.dump_model()
        return dump if kind == "dump" else json.dumps(dump)
    text = booster.model_to_string()
    if kind == "file":
        (folder / "model.txt").write_text(text, encoding="utf-8")
        return folder / "model.txt"
    return text.encode() if kind == "bytes" else text


def drawn(seed: int, folder: Path) -> Iterator[Drawn]:
    """The trees of one model."""
    rng = np.random.default_rng([seed, 11])
    columns, coded = table(rng, int(rng.integers(30, 250)))
    params = settings(rng)
    y = labels(rng, response(rng, columns), params["objective"])
    frame = any(isinstance(column, pd.Categorical) for column in columns)
    names = [NAMES[j].replace(" ", "_") for j in range(len(columns))]

    def rows_of(found: list):
        return pd.DataFrame(dict(zip(names, found, strict=True))) if frame else np.column_stack(found)

    data = lightgbm.Dataset(rows_of(columns), y, categorical_feature="auto" if frame else coded, params=params)
    try:
        booster = lightgbm.train(params, data, int(rng.integers(1, 3)))
    except lightgbm.basic.LightGBMError:  # a check of its own that fails now and then
        return
    rows = rows_of(with_hostile(rng, columns, coded, cuts_of(booster.dump_model())))
    constant = frame and any(len(set(column.codes)) < 2 for column in columns if isinstance(column, pd.Categorical))
    # A dump does not tell which constant columns had levels.
    model = source(booster, "booster" if constant else str(rng.choice(SOURCES)), folder)
    width = booster.num_model_per_iteration()
    for t in range(booster.num_trees()):
        predicted = booster.predict(rows, raw_score=True, start_iteration=t // width, num_iteration=1)
        yield Drawn(boxwood.from_lightgbm(model, t), rows, np.reshape(predicted, (len(rows), width))[:, t % width])
