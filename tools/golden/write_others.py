"""Writes models of LightGBM and XGBoost with predictions: ``python -m tools.golden.write_others``.

Neither package is needed to test boxwood. Rows hold every cut, its neighbours in double and single precision, missing
values, zeros, and every category.
"""

from __future__ import annotations

import sys

import numpy as np

from golden.oracles import PACKED
from tools.golden.write import packed_bytes

FOLDER = PACKED / "others"
LEVELS = ["春", "summer", "autumn", "winter", "none"]
NAMES = ["a", "season", "count", "b"]


def table(rng, n: int):
    """A frame with numbers, missing values, zeros and categories, and a response."""
    import pandas as pd

    a = np.where(rng.random(n) < 0.15, np.nan, rng.normal(size=n).round(2))
    b = np.where(rng.random(n) < 0.3, 0.0, rng.normal(size=n))
    codes = rng.integers(-1, len(LEVELS), n)
    count = rng.integers(0, 6, n).astype(float)
    frame = pd.DataFrame({"a": a, "season": pd.Categorical.from_codes(codes, LEVELS), "count": count, "b": b})
    y = np.nan_to_num(a) * (codes > 1) + np.sin(3.0 * codes) * 2 + count * (b > 0) + 0.1 * rng.normal(size=n)
    return frame, y


def edges(cuts: dict[str, list[float]], rng) -> object:
    """Rows on and about every cut."""
    frame, _ = table(rng, 60)
    rows = []
    for name, values in cuts.items():
        for cut in values:
            single = np.float32(cut)
            about = [float(np.nextafter(single, np.float32(d))) for d in (-np.inf, np.inf)]
            points = [cut, *about, *((float(single) + x) / 2 for x in about)]
            rows += [(name, y) for x in points for y in (np.nextafter(x, -np.inf), x, np.nextafter(x, np.inf))]
    base = frame.sample(len(rows), replace=True, random_state=1).reset_index(drop=True)
    for i, (name, x) in enumerate(rows):
        base.loc[i, name] = x
    import pandas as pd

    return pd.concat([frame, base], ignore_index=True)


def plain(frame) -> dict:
    """A frame as JSON: missing values are null, seasons their names."""
    return {name: [None if v != v else v for v in frame[name].astype(object).tolist()] for name in frame.columns}


def lightgbm_models():
    """Booster by name."""
    import lightgbm

    frame, y = table(np.random.default_rng(0), 900)
    base = {"verbosity": -1, "min_data_per_group": 5, "cat_smooth": 1.0, "cat_l2": 0.0, "max_depth": 5, "seed": 1}
    for name, more, response in (
        ("plain", {}, y),
        ("zero", {"zero_as_missing": True}, y),
        ("full", {"use_missing": False}, y),
        ("classes", {"objective": "multiclass", "num_class": 3}, np.digitize(y, [-1, 2])),
    ):
        yield name, lightgbm.train(base | more, lightgbm.Dataset(frame, label=response), 2)


def write_lightgbm() -> dict:
    """Models as text and JSON, rows, and what each tree adds."""
    found = {}
    for name, booster in lightgbm_models():
        dump, text = booster.dump_model(), booster.model_to_string()
        cuts: dict[str, list[float]] = {}
        trees = booster.num_trees()
        per_round = booster.num_model_per_iteration()
        for info in dump["tree_info"]:
            waiting = [info["tree_structure"]]
            while waiting:
                node = waiting.pop()
                if "leaf_value" not in node:
                    waiting += [node["left_child"], node["right_child"]]
                    if node["decision_type"] == "<=":
                        cuts.setdefault(NAMES[node["split_feature"]], []).append(node["threshold"])
        rows = edges({k: sorted(set(v))[:8] for k, v in cuts.items()}, np.random.default_rng(2))
        for t in ("a", "b"):
            rows.loc[:8, t] = [0.0, -0.0, 1e-36, -1e-36, 1e-35, 1.1e-35, -1.1e-35, np.nan, 5e-324]
        predicted = [
            np.reshape(booster.predict(rows, raw_score=True, start_iteration=t // per_round, num_iteration=1),
                       (len(rows), per_round))[:, t % per_round].tolist()
            for t in range(trees)
        ]  # fmt: skip
        found[name] = {"text": text, "dump": dump, "rows": plain(rows), "predicted": predicted}
    return found


def write_xgboost() -> dict:
    """Models as JSON, rows, and what each tree adds (with a base score of 0)."""
    import json

    import xgboost

    frame, y = table(np.random.default_rng(3), 900)
    found = {}
    for name, more, response in (
        ("plain", {"max_cat_to_onehot": 1}, y),
        ("onehot", {"max_cat_to_onehot": 10}, y),
        ("logistic", {"objective": "binary:logistic"}, (y > 1).astype(int)),
    ):
        settings = {"max_depth": 5, "base_score": 0.5 if name == "logistic" else 0.0, "seed": 1} | more
        booster = xgboost.train(settings, xgboost.DMatrix(frame, label=response, enable_categorical=True), 2)
        saved = json.loads(bytes(booster.save_raw("json")))
        cuts: dict[str, list[float]] = {}
        for tree in saved["learner"]["gradient_booster"]["model"]["trees"]:
            for t, left in enumerate(tree["left_children"]):
                if left >= 0 and not tree["split_type"][t]:
                    cuts.setdefault(NAMES[tree["split_indices"][t]], []).append(tree["split_conditions"][t])
        rows = edges({k: sorted(set(v))[:8] for k, v in cuts.items()}, np.random.default_rng(4))
        data = xgboost.DMatrix(rows, enable_categorical=True)
        predicted = [booster.predict(data, output_margin=True, iteration_range=(t, t + 1)).astype(float).tolist()
                for t in range(2)]  # fmt: skip
        found[name] = {"saved": saved, "rows": plain(rows), "predicted": predicted}
    return found


def main() -> int:
    """Write both files; the exit status."""
    FOLDER.mkdir(exist_ok=True)
    for name, write in (("lightgbm", write_lightgbm), ("xgboost", write_xgboost)):
        content = packed_bytes(write())
        (FOLDER / f"{name}.json.gz").write_bytes(content)
        print(f"{name}: {len(content)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
